// The judge of correct-topography: one pixel in double precision by a dense rank-revealing decomposition. Slow and
// plain.
#pragma once

#include <cstdint>
#include <vector>

#include "core/status.hpp"
#include "model/steps/correct_topography.hpp"

namespace outcrop::cpu::reference {

/// What is known of one pixel.
struct TopographyPixel {
  std::vector<float> series_m;  ///< [D]
  std::vector<float> bperp_m;   ///< [D] its own baselines; empty: those of the parameters
  double incidence_deg = 0;
  double slant_range_m = 0;
  float quality = 1;  ///< of the mask
};

struct TopographyAnswer {
  double dem_error_m = 0;
  std::vector<double> corrected_m;  ///< [D]
  std::vector<double> residual_m;   ///< [D]
  PixelStatus status = PixelStatus::ok;
};

TopographyAnswer correct_topography(const model::CorrectTopography& parameters, const TopographyPixel& pixel);

}  // namespace outcrop::cpu::reference
