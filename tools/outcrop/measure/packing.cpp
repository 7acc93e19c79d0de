#include "tools/outcrop/measure/packing.hpp"

#include <initializer_list>

namespace outcrop::tools {
namespace {

bool is_there(const PackingTrial& trial) { return trial.decoded_bytes > 0 && trial.seconds > 0; }

double stored_share(const PackingTrial& trial) { return trial.stored_bytes / trial.decoded_bytes; }

/// Whether their two equations tell the two rates apart.
bool are_different(const PackingTrial& noisy, const PackingTrial& smooth) {
  constexpr double clearly = 1.2;
  return is_there(noisy) && is_there(smooth) && stored_share(noisy) > clearly * stored_share(smooth);
}

}  // namespace

PackingRate packing_rate(const PackingTrial& noisy, const PackingTrial& smooth, double plain_bytes_per_s) {
  if (are_different(noisy, smooth)) {
    const double noisy_s = noisy.seconds / noisy.decoded_bytes;
    const double smooth_s = smooth.seconds / smooth.decoded_bytes;
    const double stored_s = (noisy_s - smooth_s) / (stored_share(noisy) - stored_share(smooth));
    const double decoded_s = smooth_s - stored_s * stored_share(smooth);
    if (stored_s > 0 && decoded_s > 0) return {1 / decoded_s, 1 / stored_s};
  }
  double bytes = 0;
  double seconds = 0;
  for (const PackingTrial* trial : {&noisy, &smooth}) {
    if (!is_there(*trial)) continue;
    bytes += trial->decoded_bytes;
    seconds += trial->seconds;
  }
  return {seconds > 0 ? bytes / seconds : plain_bytes_per_s, 0};
}

}  // namespace outcrop::tools
