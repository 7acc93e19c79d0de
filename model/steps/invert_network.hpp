// The step invert-network: M interferograms become D dates at each pixel, by weighted least squares and, where the
// pixel's network falls apart, by minimum norm.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/network.hpp"
#include "model/step.hpp"
#include "model/weight.hpp"

namespace outcrop::model {

/// Which samples a mask plane keeps; what is not kept is as if it had not been observed.
enum class MaskRule {
  none,
  nonzero,   ///< connectComponent: any label but 0; NaN is 0
  at_least,  ///< coherence: float value >= threshold; NaN is 0
};

/// Which norm is smallest where the network does not determine the answer.
enum class MinimumNorm { velocity, phase };

struct InvertNetwork final : StepParameters {
  Network network;  ///< pair k is layer k of the observation planes

  /// [M] radians: the observation at the reference pixel, subtracted from every sample that is not exactly 0.
  /// 0: nothing to subtract. NaN: the pair is left out at every pixel.
  std::vector<float> reference;

  WeightFunction weight = WeightFunction::variance;
  int num_looks = 1;  ///< independent looks, for the weights variance and fisher

  MaskRule mask = MaskRule::none;
  bool mask_is_coherence = false;  ///< the mask plane is the coherence plane: it is read once
  float mask_threshold = 0.4F;

  double min_redundancy = 1;  ///< a pixel is left out when a date other than the first has fewer observations
  MinimumNorm norm = MinimumNorm::velocity;
  double metres_per_radian = 1;  ///< -wavelength / (4 pi)

  bool has_reference_pixel = false;  ///< its quality is 1 and its count that of the pairs in use, whatever was observed
  std::int64_t reference_row = 0;
  std::int64_t reference_col = 0;

  bool has_water_mask = false;    ///< plane "water_mask": 0 leaves the pixel out
  bool has_quality_mask = false;  ///< plane "quality_mask": 0 leaves the pixel out

  std::int64_t num_pairs() const { return static_cast<std::int64_t>(network.pairs.size()); }
};

/// Declares the planes.
///   in   "phase" [M] rad; "coherence" [M] 0..1 when weights or the mask need it; "mask" [M] when another mask is used;
///        "water_mask", "quality_mask" [1]
///   out  "timeseries" [D] m; "temporal_coherence" [1]; "count" [1] observations used; "status" [1] PixelStatus
/// Skipped pixels are 0 in all float outputs.
Step make_invert_network(std::shared_ptr<const InvertNetwork> parameters);

}  // namespace outcrop::model
