// How far an inversion of a simulated scene is from the truth.
#pragma once

#include <cstdint>
#include <string>

#include "core/log.hpp"

namespace outcrop::tools {

struct TruthCheck {
  std::int64_t pixels = 0;    ///< of the scene
  std::int64_t compared = 0;  ///< whole networks, temporal coherence at least `min_temporal_coherence`
  std::int64_t solved = 0;    ///< temporal coherence above 0
  double rms_m = 0;           ///< of series - truth, over compared pixels and all dates
  double max_m = 0;
  double truth_rms_m = 0;  ///< of the truth itself, for scale
};

inline constexpr double min_temporal_coherence = 0.7;

/// Compares DIR/timeseries.h5 (with DIR/temporalCoherence.h5) and DIR/truth.h5 where the simulation left the pixel's
/// network whole and the fit is good. Throws: Errc::input when a file is missing or of another size.
TruthCheck check_truth(const std::string& dir, Log& log);

}  // namespace outcrop::tools
