// Choices that predictions make: on which backend a run is solved, and by which solver.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/config.hpp"
#include "pipeline/machine.hpp"
#include "pipeline/plan.hpp"

namespace outcrop::pipeline {

/// A backend that might solve a run: with its plan, or with why there is none.
struct Candidate {
  std::string name;
  std::optional<Plan> plan;
  std::string failure;
};

/// The number of a candidate, and why.
struct Chosen {
  std::size_t index = 0;
  std::string reason;
};

/// The candidate with the smallest predicted wall time. A device has to be clearly faster than the first candidate, the
/// host, whose plan is there.
Chosen choose_candidate(const std::vector<Candidate>& candidates);

struct SolverChoice {
  model::Solver solver = model::Solver::structured;
  bool host_assembles = false;  ///< of a device, batched: the host forms the design matrices
  std::string reason;
};

/// Memory, tile and threads have no say: the same wish, on the same backend, gives the same bits. `backend` solves the
/// step. Throws Errc::usage for an unknown name.
SolverChoice choose_solver(const Config& config, const model::Step& step, const Machine& machine, Backend& backend);

}  // namespace outcrop::pipeline
