// What a run is solved by, and its plan: the host or a device, the structured or the batched solver, and why.
#pragma once

#include <memory>
#include <string>

#include "core/backend.hpp"
#include "core/log.hpp"
#include "gpu/device_start.hpp"
#include "model/step.hpp"
#include "pipeline/config.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/workers.hpp"

namespace outcrop::tools {

/// The host is always there; a device where it was asked for.
struct BackendChoice {
  std::unique_ptr<Backend> host;
  std::unique_ptr<Backend> device;
  std::string reason;

  Backend& backend() const { return device ? *device : *host; }
};

/// Waits for the device that is wanted. Throws Errc::usage for a device that is not known, Errc::device for one that is
/// not there.
BackendChoice choose_backend(const pipeline::Config& config, const pipeline::Workers& workers,
                             const gpu::DeviceStart& start, Log& log);

struct SolverChoice {
  model::Solver solver;
  std::string reason;
};

/// Memory, tile and threads have no say: the same wish gives the same bits. Throws Errc::usage for an unknown name.
SolverChoice choose_solver(const std::string& wanted);

/// The plan for the chosen backend; when the device's memory does not hold one small tile, the host takes over.
pipeline::Plan plan_run(const pipeline::PlanInputs& inputs, BackendChoice& choice, Log& log);

}  // namespace outcrop::tools
