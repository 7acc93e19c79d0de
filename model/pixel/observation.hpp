// From a stored sample to an observation that counts.
#pragma once

#include "core/host_device.hpp"
#include "model/pixel/lane.hpp"

namespace outcrop::model::pixel {

/// Largest finite float32.
inline constexpr float largest_sample = 3.40282346638528859811704183484516925e+38F;

template <class Sample>
OUTCROP_HD auto is_infinite(const Sample& value) {
  return (value > Sample(largest_sample)) | (value < Sample(-largest_sample));
}

/// Gives: sample - reference in float32, both in the unit of the observation. 0, NaN and infinity may come out.
/// A sample that is exactly 0 stays 0: a phase of 0 was no data before referencing.
template <class Sample>
OUTCROP_HD Sample referenced(const Sample& sample, float reference) {
  return select(sample == Sample(0), Sample(0), sample - Sample(reference));
}

/// Neither NaN nor infinite.
template <class Sample>
OUTCROP_HD auto is_finite(const Sample& value) {
  return (value <= Sample(largest_sample)) & (value >= Sample(-largest_sample));
}

/// Whether a referenced observation counts: finite, and not 0 unless 0 is data (in phases it means no data, in offsets
/// no movement).
template <class Sample>
OUTCROP_HD auto usable(const Sample& value, bool zero_is_data) {
  const auto finite = is_finite(value);
  return zero_is_data ? finite : finite & (value != Sample(0));
}

/// Mask rule of connectComponent: any label but 0 keeps; NaN does not.
template <class Sample>
OUTCROP_HD auto keeps_nonzero(const Sample& label) {
  return (label != Sample(0)) & (label == label);
}

/// Mask rule of coherence and signal-to-noise ratio: NaN is 0; float32 value >= float32 threshold keeps.
template <class Sample>
OUTCROP_HD auto keeps_at_least(const Sample& value, float threshold) {
  return select(value == value, value, Sample(0)) >= Sample(threshold);
}

/// The standard deviations that a mask of offsets keeps, in the unit of the offset.
struct DeviationLimits {
  float certain = 0;   ///< this or less keeps
  float possible = 0;  ///< this or less keeps an offset that stands out
};

inline constexpr float standing_out = 10.0F;  ///< distance from the median over standard deviation
inline constexpr float least_deviation = 1e-5F;

/// Mask rule of standard deviations: NaN is 0. An offset far from the median of the kept ones of its pair is large and
/// real, so that its standard deviation may be larger too. median: NaN when nothing was kept.
template <class Sample>
OUTCROP_HD auto keeps_deviation(const Sample& value, const Sample& std, float median, const DeviationLimits& limits) {
  const Sample known = select(std == std, std, Sample(0));
  const Sample off = value - Sample(median);
  const Sample distance = select(off < Sample(0), Sample(0) - off, off);
  const auto stands_out = distance / (known + Sample(least_deviation)) >= Sample(standing_out);
  return (known <= Sample(limits.certain)) | ((known <= Sample(limits.possible)) & stands_out);
}

}  // namespace outcrop::model::pixel
