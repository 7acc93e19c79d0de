#include "tools/outcrop/run_step.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/clock.hpp"
#include "cpu/backend.hpp"
#include "gpu/device.hpp"
#include "io/flat_sink.hpp"
#include "io/output_lock.hpp"
#include "model/steps/chain.hpp"
#include "pipeline/host.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/report.hpp"
#include "pipeline/runner.hpp"
#include "tools/outcrop/exit_code.hpp"
#include "tools/outcrop/output_folders.hpp"
#include "tools/outcrop/version.hpp"

namespace outcrop::tools {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

struct Choice {
  std::unique_ptr<Backend> backend;
  std::string reason;
};

Choice choose_backend(const pipeline::Config& config, const pipeline::Workers& workers) {
  if (config.device != "cpu" && config.device != "auto") return {gpu::make_device_backend(config.device), "asked for"};
  std::string reason = config.device == "cpu" ? "asked for" : gpu::why_no_device();
  return {cpu::make_cpu_backend(workers.solve_for()), std::move(reason)};
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

using Deviations = std::map<std::string, std::int64_t>;

/// What became of the deviations of a step: known before the run, and counted pixel by pixel in it.
Deviations all_deviations(Deviations known, const model::Step& step, const Tally& tally) {
  for (std::size_t i = 0; i < tally.deviations.size() && i < step.findings.size(); ++i) {
    const model::Finding& finding = step.findings[i];
    if (finding.deviates && tally.deviations[i] > 0) known[finding.name] += tally.deviations[i];
  }
  return known;
}

/// The tally of a step of a chain; all zeros when the run ended before its first tile.
Tally tally_of(const Tally& all, std::size_t step) {
  if (step == 0) return all;
  return step <= all.then.size() ? all.then[step - 1] : Tally{};
}

std::vector<Deviations> deviations_of_steps(const StepSetup& setup, const Tally& tally) {
  const auto steps = model::steps_of(setup.step);
  std::vector<Deviations> all;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    all.push_back(all_deviations(i == 0 ? setup.deviations : setup.then_deviations, *steps[i], tally_of(tally, i)));
  }
  return all;
}

/// The products of each step tell of its own deviations.
std::vector<io::LateAttribute> late_attributes(const std::vector<Deviations>& deviations) {
  std::vector<io::LateAttribute> late;
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    late.push_back({"outcrop.deviations", nlohmann::json(deviations[i]).dump(), static_cast<int>(i)});
  }
  return late;
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

/// The products are complete by now, whatever becomes of the maps.
void draw_maps(const StepSetup& setup, const pipeline::Plan& plan, const pipeline::RunResult& result,
               pipeline::ReportContext& context, Log& log) {
  if (!setup.quicklook) return;
  const double before_s = wall_s();
  try {
    setup.quicklook->write(pipeline::report_json(plan, result, context), setup.products);
  } catch (...) {
    throw current_error().within("drawing the maps of --quicklook (the products are complete)");
  }
  context.quicklook_s = wall_s() - before_s;
  log.info("maps: " + setup.quicklook->page_path());
}

void conclude(const StepSetup& setup, const pipeline::Plan& plan, const pipeline::RunResult& result, double exec_s,
              Log& log) {
  log.info(pipeline::summary(plan, result, wall_s() - exec_s));
  const auto steps = model::steps_of(setup.step);
  for (std::size_t i = 0; i < steps.size(); ++i) warn_of_findings(*steps[i], tally_of(result.tally, i), log);
  const Tally& t = result.tally;
  if (t[PixelStatus::ok] + t[PixelStatus::min_norm] <= setup.granted_pixels) {
    log.warn("no pixel could be inverted: the products hold zeros");
  }
  for (const auto& product : setup.products) fmt::print("{}\n", product);
}

}  // namespace

void open_files(StepSetup& setup, std::int64_t rows, std::int64_t cols, const io::SourceOptions& options, Log& log) {
  setup.source = io::make_h5_source(setup.requests, options, log);
  setup.sink = io::make_flat_sink(rows, cols, setup.files, log);
}

void add_quicklook(const CommonOptions& options, QuicklookWishes wishes, StepSetup& setup) {
  if (!options.quicklook) return;
  setup.quicklook = std::make_shared<Quicklook>(*options.quicklook, std::move(wishes));
  setup.sink = setup.quicklook->watch(std::move(setup.sink));
}

int run_step(const CommonOptions& options, const pipeline::Config& config, StepSetup setup,
             const Invocation& invocation, Log& log) {
  const int threads = config.threads > 0 ? config.threads : static_cast<int>(pipeline::usable_threads().value);
  pipeline::Workers workers(config.runner == pipeline::Runner::serial ? 1 : threads, config.runner);
  const Choice choice = choose_backend(config, workers);
  const SolverChoice solver = choose_solver(config.solver);
  setup.step = model::solved_by(std::move(setup.step), solver.solver);
  const pipeline::Limit cap = memory_cap(config, setup);
  const pipeline::Machine machine =
      config.machine_file.empty() ? pipeline::reference_machine() : pipeline::read_machine(config.machine_file);
  pipeline::Plan plan = pipeline::make_plan({config, setup.step, *setup.source, *setup.sink, *choice.backend, machine,
                                             cap.value, cap.reason, workers.threads()});
  plan.reason = choice.reason;
  plan.solver_reason = solver.reason;
  for (const auto& note : plan.notes) log.warn(note);
  plan.notes.insert(plan.notes.end(), setup.notes.begin(), setup.notes.end());
  if (options.plan) {
    fmt::print("{}", *options.plan == "json" ? pipeline::to_json(plan) : pipeline::explain(plan));
    return exit_code::done;
  }
  log.detail("the plan:\n" + pipeline::explain(plan));
  for (const auto& note : setup.notes) log.info(note);
  const OutputFolders folders(setup.products);
  std::vector<std::unique_ptr<io::OutputLock>> locks;
  for (const auto& series : setup.locked) locks.push_back(std::make_unique<io::OutputLock>(series));
  if (setup.quicklook) setup.quicklook->open(log);
  const double before_s = wall_s();
  setup.spare_bytes = plan.slots * plan.layout->total_bytes() + plan.bands.buffers * plan.bands.bytes;
  if (setup.complete) setup.step = setup.complete(setup);
  setup.step = model::solved_by(std::move(setup.step), solver.solver);
  pipeline::ReportContext context{invocation.command_line, version,
                                  setup.step.name,         exit_code::done,
                                  invocation.exec_s,       choice.backend->instruction_set(),
                                  wall_s() - before_s,     {},
                                  setup.step.size};
  pipeline::RunResult result = pipeline::run({plan, setup.step, *setup.source, *setup.sink, *choice.backend, workers,
                                              invocation.stop, progress_of(options), options.trace_path.has_value()});
  result.bytes_read += setup.before.read;
  result.bytes_decoded += setup.before.decoded;
  const std::vector<Deviations> deviations = deviations_of_steps(setup, result.tally);
  for (const Deviations& of_step : deviations) {
    for (const auto& [name, count] : of_step) context.deviations[name] += count;
  }
  if (!result.error) {
    try {
      setup.sink->commit(late_attributes(deviations));
      conclude(setup, plan, result, invocation.exec_s, log);
      draw_maps(setup, plan, result, context, log);
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
