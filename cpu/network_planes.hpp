// Where the planes of the step invert-network are in a slot.
#pragma once

#include "core/slot.hpp"
#include "cpu/planes.hpp"
#include "cpu/programs/invert_network.hpp"
#include "model/step.hpp"

namespace outcrop::cpu {

/// Index of each plane in the slot.
struct NetworkPlaneIndices {
  int observation = absent;
  int coherence = absent;
  int deviation = absent;
  int mask = absent;
  int water_mask = absent;
  int quality_mask = absent;
  int timeseries = absent;
  int quality = absent;
  int count = absent;
  int status = absent;
  int islands = absent;
  int covariance = absent;
};

NetworkPlaneIndices find_network_planes(const model::Step& step, const SlotLayout& layout);

InvertNetworkPlanes planes_of(const Slot& slot, const NetworkPlaneIndices& at);

}  // namespace outcrop::cpu
