// What the host does for batched programs of a device under test: the reference solves what they mark.
#pragma once

#include "cpu/marked_pixels.hpp"
#include "gpu/host_share.hpp"

namespace outcrop::test {

/// `parallel` must outlive the backend.
inline gpu::HostShare host_share(const ParallelFor& parallel, bool assembles = false) {
  gpu::HostShare host;
  host.assembles = assembles;
  host.parallel = &parallel;
  host.make_solve_marked = [&parallel](const model::Step& step, const SlotLayout& layout) {
    return [&parallel, solve = cpu::make_marked_solver(step, layout)](Slot& slot) { solve(slot, parallel); };
  };
  host.solve_marked_bytes = [&parallel](const model::Step& step) {
    return cpu::marked_solver_bytes(step, parallel.concurrency());
  };
  return host;
}

}  // namespace outcrop::test
