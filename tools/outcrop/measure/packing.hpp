// What decompressing takes, from two trials on samples that pack differently well.
#pragma once

namespace outcrop::tools {

/// Of one thread; all 0: there was none.
struct PackingTrial {
  double decoded_bytes = 0;
  double stored_bytes = 0;
  double seconds = 0;
};

/// The seconds of a byte decoded and of a byte stored add up.
struct PackingRate {
  double decoded_bytes_per_s = 0;
  double stored_bytes_per_s = 0;  ///< 0: stored bytes take nothing of their own
};

/// The rates that explain both trials; where one would be negative, or the trials are alike, or there is but one: the
/// bytes that all of them decoded a second. `plain_bytes_per_s`: what is given when there is none.
PackingRate packing_rate(const PackingTrial& noisy, const PackingTrial& smooth, double plain_bytes_per_s);

}  // namespace outcrop::tools
