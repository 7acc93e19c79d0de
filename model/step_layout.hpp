// The planes of a step in a slot.
#pragma once

#include "core/slot.hpp"
#include "model/step.hpp"

namespace outcrop::model {

/// Adds the step's inputs, which are float32, and then its outputs.
inline void add_planes(SlotLayout& layout, const Step& step) {
  for (const auto& plane : step.inputs) layout.add(plane.name, plane.depth, DType::f32);
  for (const auto& plane : step.outputs) layout.add(plane.name, plane.depth, plane.dtype);
}

}  // namespace outcrop::model
