// Coherence or standard deviation to weight at one pixel. The bin of the variance table is the one that MintPy's double
// quotient (c - 0.0025) / 0.005, truncated, gives for every float32 coherence (tests/model/weight_test.cpp tries them
// all), without the division: 200 c - 0.5 is exact in double, so that no fusing or rounding can move it.
#pragma once

#include "core/host_device.hpp"
#include "model/pixel/lane.hpp"
#include "model/pixel/observation.hpp"
#include "model/weight.hpp"

namespace outcrop::model::pixel {

inline constexpr float lowest_coherence = 0.05F;
inline constexpr double bins_per_coherence = 200;          ///< of the variance table
inline constexpr double bin_offset = 0.5;                  ///< coherence of bin 0 is half a bin
inline constexpr double highest_fisher_coherence = 0.999;  ///< 1 / (1 - c^2) has no limit otherwise

inline constexpr double largest_weight =
    1e6;  ///< of a coherence far above 1: a heavier pair would drown its neighbours

inline constexpr float lowest_deviation = 0.005F;  ///< of an offset, in its unit
inline constexpr float unknown_deviation =
    100.0F;  ///< an offset whose standard deviation is NaN counts next to nothing

/// What a pixel needs of Weights: the same on the host and on a device.
struct WeightView {
  WeightFunction function = WeightFunction::none;
  const float* table = nullptr;  ///< [num_coherence_bins] roots of weights, for `variance`
  double num_looks = 1;
};

/// std: as stored. Gives: what counts as the standard deviation, in float32.
template <class Sample>
OUTCROP_HD Sample limited_deviation(const Sample& std) {
  const Sample known = select(std <= Sample(largest_sample), std, Sample(unknown_deviation));
  return select(known > Sample(lowest_deviation), known, Sample(lowest_deviation));
}

/// value: coherence as stored, where NaN is 0 and everything below 0.05 is 0.05; the standard deviation for
/// `deviation`. Gives: the root of the weight, finite and positive: the float32 root of the float32 weight, by which
/// MintPy multiplies its rows. Its square is what enters the normal equations, exact in double.
template <class Lane, class Sample>
OUTCROP_HD Sample root_weight(const WeightView& view, const Sample& value) {
  if (view.function == WeightFunction::deviation) return Sample(1.0F) / limited_deviation(value);
  const Sample coherence = select(value > Sample(lowest_coherence), value, Sample(lowest_coherence));
  if (view.function == WeightFunction::variance) {
    const Lane limited = widen(select(coherence < Sample(1.0F), coherence, Sample(1.0F)));
    return lookup(view.table, limited * Lane(bins_per_coherence) - Lane(bin_offset));
  }
  const Lane c = widen(coherence);
  if (view.function == WeightFunction::fisher) {
    const Lane limited = select(c > Lane(highest_fisher_coherence), Lane(highest_fisher_coherence), c);
    const Lane squared = limited * limited;
    return float_root(Lane(2.0 * view.num_looks) * squared / (Lane(1.0) - squared));
  }
  if (view.function == WeightFunction::coherence) {
    return float_root(select(c > Lane(largest_weight), Lane(largest_weight), c));
  }
  return Sample(1.0F);
}

}  // namespace outcrop::model::pixel
