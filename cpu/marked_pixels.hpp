// The second look at pixels that a batched program marked, on whichever backend it ran: the reference solves them, so
// that every backend and every solver gives the same answer of least norm.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/parallel.hpp"
#include "core/slot.hpp"
#include "model/step.hpp"

namespace outcrop::cpu {

/// Solves the pixels of the slot's tile whose status is `marked_pixel`: reads the input planes, writes all output
/// planes but the covariance, and adds the pixels to the slot's tally. Several slots at once.
using MarkedSolver = std::function<void(Slot& slot, const ParallelFor& parallel)>;

/// Throws: Errc::unsupported for a step that has no reference.
MarkedSolver make_marked_solver(const model::Step& step, const SlotLayout& layout);

/// Bytes that the solver holds while `num_workers` pixels are solved at once.
std::int64_t marked_solver_bytes(const model::Step& step, int num_workers);

/// Numbers of the marked pixels of a tile, ascending. status [num_pixels].
std::vector<std::int64_t> find_marked(const std::uint8_t* status, std::int64_t num_pixels);

// One of each step; the functions above choose.
MarkedSolver make_marked_network_solver(const model::Step& step, const SlotLayout& layout);
MarkedSolver make_marked_topography_solver(const model::Step& step, const SlotLayout& layout);

}  // namespace outcrop::cpu
