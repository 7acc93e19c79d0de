// The judge of invert-network: one pixel in double precision by a dense rank-revealing decomposition. Slow and plain.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/status.hpp"
#include "model/steps/invert_network.hpp"

namespace outcrop::cpu::reference {

/// What was stored for one pixel.
struct PixelSamples {
  std::vector<float> phase;      ///< [M] rad
  std::vector<float> coherence;  ///< [M], or empty when the step needs none
  std::vector<float> mask;       ///< [M], or empty
  std::optional<float> water_mask;
  std::optional<float> quality_mask;
};

struct PixelAnswer {
  std::vector<double> timeseries_m;  ///< [D]
  double temporal_coherence = 0;
  std::int64_t count = 0;
  PixelStatus status = PixelStatus::ok;
  std::int64_t rank = 0;
};

/// The answer at a pixel that is not the reference pixel.
PixelAnswer invert_network(const model::InvertNetwork& parameters, const PixelSamples& samples);

}  // namespace outcrop::cpu::reference
