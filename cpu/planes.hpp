// Finding a step's planes in a slot; a step declares some of them only when it needs them.
#pragma once

#include <algorithm>
#include <vector>

#include "core/slot.hpp"

namespace outcrop::cpu {

/// The index of a plane that the step does not declare.
inline constexpr int absent = -1;

/// `declared`: the step's inputs or outputs.
template <class Plane>
int index_of(const std::vector<Plane>& declared, const SlotLayout& layout, const char* name) {
  const bool found =
      std::any_of(declared.begin(), declared.end(), [&](const auto& plane) { return plane.name == name; });
  return found ? layout.index(name) : absent;
}

/// First element of a plane; null when it is absent.
template <class T>
T* data_of(const Slot& slot, int plane) {
  return plane == absent ? nullptr : slot.plane<T>(plane).data_handle();
}

}  // namespace outcrop::cpu
