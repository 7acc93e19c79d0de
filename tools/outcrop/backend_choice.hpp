// What a run is solved by, and its plan: the host or a device, the structured or the batched solver, and why.
#pragma once

#include <memory>
#include <string>

#include "core/backend.hpp"
#include "core/log.hpp"
#include "gpu/device_start.hpp"
#include "model/step.hpp"
#include "pipeline/choice.hpp"
#include "pipeline/config.hpp"
#include "pipeline/host.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/workers.hpp"

namespace outcrop::tools {

/// What is to be solved. All must outlive the choice.
struct RunWish {
  const pipeline::Config& config;
  const model::Step& step;
  const io::TileSource& source;
  const io::TileSink& sink;
  const pipeline::Machine& machine;
  const pipeline::Limit& memory_cap;
  const pipeline::Workers& workers;
  const gpu::DeviceStart& start;  ///< of the device that was asked for
};

/// The plan of a wish on a backend, solved as chosen. `held_bytes`: host memory that others keep. Throws as
/// make_plan().
pipeline::Plan plan_for(const RunWish& wish, Backend& backend, const pipeline::SolverChoice& solver,
                        std::int64_t held_bytes = 0);

/// The host is always there; a device where it is chosen.
struct RunChoice {
  std::unique_ptr<Backend> host;
  std::unique_ptr<Backend> device;
  model::Solver solver = model::Solver::structured;
  pipeline::Plan plan;

  Backend& backend() const { return device ? *device : *host; }
};

/// The backend that was asked for; of --device auto the one that is predicted to be faster, of the host, the devices
/// that the machine file knows and this machine has, and a simulated device that the configuration makes a candidate.
/// When the memory of a device does not hold one small tile, the host takes over. Throws Errc::usage for a device or
/// solver that is not known or cannot run the step, Errc::device for one that was asked for and is not there.
RunChoice choose_run(const RunWish& wish, Log& log);

}  // namespace outcrop::tools
