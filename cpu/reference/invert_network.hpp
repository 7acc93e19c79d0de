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
  std::vector<float> observation;  ///< [M] rad or pixels
  std::vector<float> coherence;    ///< [M], or empty when the step needs none
  std::vector<float> deviation;    ///< [M], or empty
  std::vector<float> mask;         ///< [M], or empty
  std::optional<float> water_mask;
  std::optional<float> quality_mask;
};

struct PixelAnswer {
  std::vector<double> timeseries_m;  ///< [D]
  double quality = 0;                ///< temporal coherence or residual
  std::int64_t count = 0;
  PixelStatus status = PixelStatus::ok;
  std::int64_t rank = 0;
};

/// [D * D] the covariance of the series; all 0 where the pixel has no data or too few.
std::vector<double> covariance(const model::InvertNetwork& parameters, const PixelSamples& samples);

/// The answer at a pixel that is not the reference pixel.
PixelAnswer invert_network(const model::InvertNetwork& parameters, const PixelSamples& samples);

/// The same, with the weights of the parameters made once for many pixels.
PixelAnswer invert_network(const model::InvertNetwork& parameters, const model::Weights& weights,
                           const PixelSamples& samples);

}  // namespace outcrop::cpu::reference
