// From a stored sample to an observation that counts. No data is the value 0 from here on: a phase that is exactly 0
// after referencing is no observation, so the value itself can carry the mark.
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

/// sample, reference [rad]. Gives: sample - reference in float32. 0, NaN and infinity may come out: see usable().
/// A sample that is exactly 0 stays 0: it was no data before referencing.
template <class Sample>
OUTCROP_HD Sample referenced(const Sample& sample, float reference) {
  return select(sample == Sample(0), Sample(0), sample - Sample(reference));
}

/// Neither 0 nor NaN nor infinite.
template <class Sample>
OUTCROP_HD auto usable(const Sample& phase) {
  return (phase != Sample(0)) & (phase <= Sample(largest_sample)) & (phase >= Sample(-largest_sample));
}

/// Mask rule of connectComponent: any label but 0 keeps; NaN does not.
template <class Sample>
OUTCROP_HD auto keeps_nonzero(const Sample& label) {
  return (label != Sample(0)) & (label == label);
}

/// Mask rule of coherence: NaN is 0; float32 value >= float32 threshold keeps.
template <class Sample>
OUTCROP_HD auto keeps_at_least(const Sample& value, float threshold) {
  return select(value == value, value, Sample(0)) >= Sample(threshold);
}

}  // namespace outcrop::model::pixel
