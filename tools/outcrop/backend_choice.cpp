// What a run is solved by.
#include "tools/outcrop/backend_choice.hpp"

#include <fmt/format.h>

#include "cpu/backend.hpp"
#include "cpu/marked_pixels.hpp"
#include "gpu/device.hpp"
#include "model/steps/chain.hpp"

namespace outcrop::tools {
namespace {

gpu::sim::Options sim_options(const pipeline::SimulatedDevice& sim) {
  return {sim.memory_bytes,
          sim.copy_bytes_per_s,
          sim.launch_s,
          sim.flops_per_s,
          {sim.fail_allocation, sim.fail_pinned, sim.fail_copy, sim.fail_kernel, sim.fail_queue}};
}

gpu::DeviceOptions device_options(const pipeline::Config& config, const ParallelFor& parallel, Log& log) {
  gpu::DeviceOptions options;
  options.queues = config.queues;
  options.batch_pixels = config.batch_pixels;
  options.warn = [&log](const std::string& sentence) { log.warn(sentence); };
  options.host.assembles = config.host_assembles;
  options.host.parallel = &parallel;
  options.host.make_solve_marked = [&parallel](const model::Step& step, const SlotLayout& layout) {
    return [&parallel, solve = cpu::make_marked_solver(step, layout)](Slot& slot) { solve(slot, parallel); };
  };
  options.host.solve_marked_bytes = [&parallel](const model::Step& step) {
    return cpu::marked_solver_bytes(step, parallel.concurrency());
  };
  return options;
}

void refuse_not_built(const pipeline::Config& config, const model::Step& step) {
  if (config.solver != "batched" || model::chain_of(step) == nullptr) return;
  fail(Errc::usage,
       fmt::format("--then with --solver batched is not built yet for devices: --device cpu has it, and {} "
                   "solves the same with --solver structured, or in two runs",
                   config.device));
}

}  // namespace

BackendChoice choose_backend(const pipeline::Config& config, const model::Step& step, const pipeline::Workers& workers,
                             Log& log) {
  BackendChoice choice{cpu::make_cpu_backend(workers.solve_for()), nullptr, "asked for"};
  if (config.device == "auto") {
    choice.reason = gpu::why_host();
    log.info("running on the host: " + choice.reason);
  } else if (config.device != "cpu") {
    refuse_not_built(config, step);
    choice.device = gpu::make_device_backend(
        {config.device, device_options(config, workers.solve_for(), log), sim_options(config.sim)});
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
