// HostShare: what the host does for batched programs of a device.
#pragma once

#include <cstdint>
#include <functional>

#include "core/parallel.hpp"
#include "core/slot.hpp"

namespace outcrop::model {
struct Step;
}

namespace outcrop::gpu {

/// Solves the pixels of the slot's tile whose status is marked_pixel (core/status.hpp), from its input planes, and adds
/// them to its tally. Several slots at once.
using SolveMarked = std::function<void(Slot& slot)>;

struct HostShare {
  bool assembles = false;                 ///< design matrices are formed by the host and copied, else by the device
  const ParallelFor* parallel = nullptr;  ///< spreads what the host forms; outlives the backend; null: nothing does

  /// Another room's: the reference is the host backend's. Batched steps are refused without.
  std::function<SolveMarked(const model::Step&, const SlotLayout&)> make_solve_marked = {};
  std::function<std::int64_t(const model::Step&)> solve_marked_bytes = {};  ///< what that holds at once
};

}  // namespace outcrop::gpu
