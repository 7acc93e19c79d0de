#include "model/cost/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.hpp"

namespace outcrop::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr std::array<LookupRange, 5> ranges = {
    {{0, 1e5, 0, 2}, {1e5, 3e5, 2, 2.5}, {3e5, 1e6, 2.5, 4}, {1e6, 1e7, 4, 10}, {1e7, infinity, 10, 10}}};

}  // namespace

std::span<const LookupRange> lookup_table() { return ranges; }

const LookupRange& lookup(std::int64_t pixels) {
  if (pixels < 1) fail(Errc::usage, fmt::format("the lookup table needs at least one pixel, and was given {}", pixels));
  const double wanted = static_cast<double>(pixels);
  return *std::find_if(ranges.begin(), ranges.end(), [&](const auto& range) { return wanted < range.below_pixels; });
}

StorageModifier make_storage_modifier(std::string name, double host_here_s, double device_here_s, double host_there_s,
                                      double device_there_s) {
  for (const double seconds : {host_here_s, device_here_s, host_there_s, device_there_s}) {
    if (!std::isfinite(seconds) || !(seconds > 0)) {
      fail(Errc::usage, fmt::format("the times of storage '{}' hold {}; they have to be positive numbers of seconds",
                                    name, seconds));
    }
  }
  return {std::move(name), host_there_s / host_here_s, device_there_s / device_here_s};
}

SpeedupCoefficients on_storage(const SpeedupCoefficients& c, const StorageModifier& storage) {
  const double host = storage.host_factor;
  const double device = storage.device_factor;
  return {c.alpha_s * host,  c.gamma_s * host,   c.fixed_s * device,
          c.beta_s * device, c.delta_s * device, c.epsilon_s * device};
}

}  // namespace outcrop::model
