#include "tools/outcrop/run_step.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/clock.hpp"
#include "cpu/backend.hpp"
#include "gpu/device.hpp"
#include "io/output_lock.hpp"
#include "pipeline/host.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/report.hpp"
#include "pipeline/runner.hpp"
#include "tools/outcrop/exit_code.hpp"
#include "tools/outcrop/version.hpp"

namespace outcrop::tools {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

/// The host is always there; a device where it was asked for.
struct Choice {
  std::unique_ptr<Backend> host;
  std::unique_ptr<Backend> device;
  std::string reason;

  Backend& backend() const { return device ? *device : *host; }
};

gpu::sim::Options sim_options(const pipeline::SimulatedDevice& sim) {
  return {sim.memory_bytes,
          sim.copy_bytes_per_s,
          sim.launch_s,
          sim.flops_per_s,
          {sim.fail_allocation, sim.fail_pinned, sim.fail_copy, sim.fail_kernel, sim.fail_queue}};
}

Choice choose_backend(const pipeline::Config& config, const pipeline::Workers& workers, Log& log) {
  Choice choice{cpu::make_cpu_backend(workers.solve_for()), nullptr, "asked for"};
  if (config.device == "auto") {
    choice.reason = gpu::why_host();
    log.info("running on the host: " + choice.reason);
  } else if (config.device != "cpu") {
    if (config.solver == "batched") {
      fail(Errc::usage, fmt::format("--solver batched is not built yet for devices: --device cpu has it, and {} solves "
                                    "the same with --solver structured",
                                    config.device));
    }
    const gpu::Warn warn = [&log](const std::string& sentence) { log.warn(sentence); };
    choice.device = gpu::make_device_backend({config.device, {config.queues, warn}, sim_options(config.sim)});
  }
  return choice;
}

/// When the device's memory does not hold one small tile, the host takes over.
pipeline::Plan plan_run(const pipeline::PlanInputs& inputs, Choice& choice, Log& log) {
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

struct SolverChoice {
  model::Solver solver;
  std::string reason;
};

/// Memory, tile and threads have no say: the same wish gives the same bits.
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

pipeline::Limit memory_cap(const pipeline::Config& config, const StepSetup& setup) {
  if (config.memory_bytes > 0) return {config.memory_bytes, "asked for"};
  if (setup.template_memory_gb) {
    return {static_cast<std::int64_t>(*setup.template_memory_gb * gib), "mintpy.compute.maxMemory of the template"};
  }
  const auto usable = pipeline::usable_memory();
  return {usable.value / 2, "half of " + usable.reason};
}

/// What became of the deviations: known before the run, and counted pixel by pixel in it.
std::map<std::string, std::int64_t> all_deviations(const StepSetup& setup, const Tally& tally) {
  auto all = setup.deviations;
  for (std::size_t i = 0; i < tally.deviations.size() && i < setup.step.findings.size(); ++i) {
    const model::Finding& finding = setup.step.findings[i];
    if (finding.deviates && tally.deviations[i] > 0) all[finding.name] += tally.deviations[i];
  }
  return all;
}

void warn_of_findings(const model::Step& step, const Tally& tally, Log& log) {
  for (std::size_t i = 0; i < tally.deviations.size() && i < step.findings.size(); ++i) {
    if (tally.deviations[i] == 0 || step.findings[i].warning.empty()) continue;
    log.warn(fmt::format("{} {}", tally.deviations[i], step.findings[i].warning));
  }
}

void write_reports(const CommonOptions& options, const pipeline::Plan& plan, const pipeline::RunResult& result,
                   const pipeline::ReportContext& context) {
  if (options.report_path) pipeline::write_text(*options.report_path, pipeline::report_json(plan, result, context));
  if (options.trace_path) pipeline::write_text(*options.trace_path, pipeline::trace_json(result));
}

void conclude(const StepSetup& setup, const pipeline::Plan& plan, const pipeline::RunResult& result, double exec_s,
              Log& log) {
  log.info(pipeline::summary(plan, result, wall_s() - exec_s));
  warn_of_findings(setup.step, result.tally, log);
  const Tally& t = result.tally;
  if (t[PixelStatus::ok] + t[PixelStatus::min_norm] <= setup.granted_pixels) {
    log.warn("no pixel could be inverted: the products hold zeros");
  }
  for (const auto& product : setup.products) fmt::print("{}\n", product);
}

}  // namespace

int run_step(const CommonOptions& options, const pipeline::Config& config, StepSetup setup,
             const Invocation& invocation, Log& log) {
  const int threads = config.threads > 0 ? config.threads : static_cast<int>(pipeline::usable_threads().value);
  pipeline::Workers workers(config.runner == pipeline::Runner::serial ? 1 : threads, config.runner);
  Choice choice = choose_backend(config, workers, log);
  const SolverChoice solver = choose_solver(config.solver);
  setup.step.solver = solver.solver;
  const pipeline::Limit cap = memory_cap(config, setup);
  pipeline::Plan plan = plan_run({config, setup.step, *setup.source, *setup.sink, choice.backend(),
                                  pipeline::reference_machine(), cap.value, cap.reason, workers.threads()},
                                 choice, log);
  plan.solver_reason = solver.reason;
  for (const auto& note : plan.notes) log.warn(note);
  plan.notes.insert(plan.notes.end(), setup.notes.begin(), setup.notes.end());
  if (options.plan) {
    fmt::print("{}", *options.plan == "json" ? pipeline::to_json(plan) : pipeline::explain(plan));
    return exit_code::done;
  }
  log.detail("the plan:\n" + pipeline::explain(plan));
  for (const auto& note : setup.notes) log.info(note);
  const io::OutputLock lock(setup.products.front());
  const double before_s = wall_s();
  setup.spare_bytes = plan.slots * plan.layout->total_bytes() + plan.bands.buffers * plan.bands.bytes;
  if (setup.complete) setup.step = setup.complete(setup);
  setup.step.solver = solver.solver;
  pipeline::ReportContext context{invocation.command_line, version,
                                  setup.step.name,         exit_code::done,
                                  invocation.exec_s,       choice.backend().instruction_set(),
                                  wall_s() - before_s,     {}};
  pipeline::RunResult result = pipeline::run(
      {plan, setup.step, *setup.source, *setup.sink, choice.backend(), workers, invocation.stop, progress_of(options),
       options.trace_path.has_value(), choice.host.get(), [&log](const std::string& sentence) { log.warn(sentence); }});
  if (choice.device && result.device == choice.host->name()) plan.reason = "the device had no memory for one tile";
  context.deviations = all_deviations(setup, result.tally);
  if (!result.error) {
    try {
      setup.sink->commit({{"outcrop.deviations", nlohmann::json(context.deviations).dump()}});
      conclude(setup, plan, result, invocation.exec_s, log);
    } catch (...) {
      result.error = current_error();
    }
  }
  if (result.error) {
    context.exit_code = code_of_started(*result.error);
    log.error(result.error->what());
    if (!result.error->detail().empty()) log.detail(result.error->detail());
  }
  write_reports(options, plan, result, context);
  return context.exit_code;
}

}  // namespace outcrop::tools
