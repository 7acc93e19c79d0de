// What a run is solved by.
#include "tools/outcrop/backend_choice.hpp"

#include <fmt/format.h>

#include "cpu/backend.hpp"
#include "gpu/device.hpp"
#include "tools/outcrop/device_options.hpp"

namespace outcrop::tools {
BackendChoice choose_backend(const pipeline::Config& config, const pipeline::Workers& workers,
                             const gpu::DeviceStart& start, Log& log) {
  BackendChoice choice{cpu::make_cpu_backend(workers.solve_for()), nullptr, "asked for"};
  if (config.device == "auto") {
    choice.reason = gpu::why_host();
    log.info("running on the host: " + choice.reason);
  } else if (config.device != "cpu") {
    choice.device = gpu::make_backend(start.open(config.device), device_options(config, workers.solve_for(), log));
  }
  return choice;
}

SolverChoice choose_solver(const std::string& wanted) {
  if (wanted == "batched") return {model::Solver::batched, "asked for"};
  if (wanted == "structured") return {model::Solver::structured, "asked for; no G_batch is formed"};
  if (wanted != "auto") {
    fail(Errc::usage, fmt::format("there is no solver '{}' (--solver, device.solver of the configuration); there are "
                                  "auto, structured and batched",
                                  wanted));
  }
  return {model::Solver::structured, "the step's structure takes fewer operations; no G_batch is formed"};
}

pipeline::Plan plan_run(const pipeline::PlanInputs& inputs, BackendChoice& choice, Log& log) {
  pipeline::Plan plan;
  try {
    plan = pipeline::make_plan(inputs);
  } catch (const Error& error) {
    if (!choice.device || error.code() != Errc::out_of_memory) throw;
    choice.reason = error.what();
    log.warn("running on the host: " + choice.reason);
    choice.device.reset();
    plan = pipeline::make_plan({inputs.config, inputs.step, inputs.source, inputs.sink, *choice.host, inputs.machine,
                                inputs.memory_cap_bytes, inputs.memory_reason, inputs.threads});
  }
  plan.reason = choice.reason;
  return plan;
}

}  // namespace outcrop::tools
