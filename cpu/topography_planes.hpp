// Where the planes of the step correct-topography are in a slot.
#pragma once

#include "core/slot.hpp"
#include "cpu/planes.hpp"
#include "cpu/programs/correct_topography.hpp"
#include "model/step.hpp"

namespace outcrop::cpu {

/// Index of each plane in the slot.
struct TopographyPlaneIndices {
  int series = absent;
  int bperp = absent;
  int incidence = absent;
  int slant_range = absent;
  int quality_mask = absent;
  int corrected = absent;
  int residual = absent;
  int dem_error = absent;
  int status = absent;
};

TopographyPlaneIndices find_topography_planes(const model::Step& step, const SlotLayout& layout);

/// Throws Errc::internal where a series to be written does not begin each row on a cache line.
CorrectTopographyPlanes planes_of(const Slot& slot, const TopographyPlaneIndices& at);

}  // namespace outcrop::cpu
