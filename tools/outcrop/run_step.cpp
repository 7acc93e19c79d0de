#include "tools/outcrop/run_step.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "core/clock.hpp"
#include "io/flat_sink.hpp"
#include "io/output_lock.hpp"
#include "model/steps/chain.hpp"
#include "pipeline/host.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/report.hpp"
#include "pipeline/runner.hpp"
#include "tools/outcrop/backend_choice.hpp"
#include "tools/outcrop/exit_code.hpp"
#include "tools/outcrop/found_deviations.hpp"
#include "tools/outcrop/head_start.hpp"
#include "tools/outcrop/output_folders.hpp"
#include "tools/outcrop/version.hpp"
#include "tools/outcrop/written_files.hpp"

namespace outcrop::tools {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

pipeline::Limit memory_cap(const pipeline::Config& config, const StepSetup& setup) {
  if (config.memory_bytes > 0) return {config.memory_bytes, "asked for"};
  if (setup.template_memory_gb) {
    return {static_cast<std::int64_t>(*setup.template_memory_gb * gib), "mintpy.compute.maxMemory of the template"};
  }
  const auto usable = pipeline::usable_memory();
  return {usable.value / 2, "half of " + usable.reason};
}

pipeline::Machine machine_of(const pipeline::Config& config) {
  return config.machine_file.empty() ? pipeline::reference_machine() : pipeline::read_machine(config.machine_file);
}

/// What goes wrong with them is said, and decides the exit code of a run that had not failed.
void write_reports(const CommonOptions& options, const pipeline::Plan& plan, const pipeline::RunResult& result,
                   pipeline::ReportContext& context, Log& log) {
  try {
    if (options.report_path) write_result(*options.report_path, pipeline::report_json(plan, result, context));
    if (options.trace_path) write_result(*options.trace_path, pipeline::trace_json(result));
  } catch (const Error& error) {
    log.error(fmt::format("{} (the report; {})", error.what(),
                          context.exit_code == exit_code::done ? "the products are complete" : "the run had failed"));
    if (context.exit_code == exit_code::done) context.exit_code = exit_code::failed;
  }
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
  warn_of_findings(setup, result.tally, log);
  const Tally& t = result.tally;
  if (t[PixelStatus::ok] + t[PixelStatus::min_norm] <= setup.granted_pixels) {
    log.warn("no pixel could be inverted: the products hold zeros");
  }
  for (const auto& product : setup.products) fmt::print("{}\n", product);
}

/// Lets the products appear, and draws the maps. What goes wrong becomes the error of the run.
void complete(const StepSetup& setup, const pipeline::Plan& plan, pipeline::RunResult& result,
              const std::vector<Deviations>& deviations, pipeline::ReportContext& context, double exec_s, Log& log) {
  try {
    setup.sink->commit(late_attributes(deviations));
    conclude(setup, plan, result, exec_s, log);
    draw_maps(setup, plan, result, context, log);
  } catch (...) {
    result.error = current_error();
  }
}

/// The device was short of memory before the first tile: what the report says of it is the host's. The times that were
/// predicted are not.
void tell_of_host(const Backend& host, pipeline::Plan& plan, pipeline::ReportContext& context) {
  plan.reason = "the device's memory was short";
  plan.queues = host.limits().num_queues;
  plan.device_bytes = 0;
  plan.predicted = {};
  context.instruction_set = host.instruction_set();
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
             const gpu::DeviceStart& start, const Invocation& invocation, Log& log) {
  const int threads = config.threads > 0 ? config.threads : static_cast<int>(pipeline::usable_threads().value);
  pipeline::Workers workers(config.runner == pipeline::Runner::serial ? 1 : threads, config.runner);
  check_written_files(options, setup);
  const pipeline::Machine machine = machine_of(config);
  const pipeline::Limit cap = memory_cap(config, setup);
  const RunWish wish{config, setup.step, *setup.source, *setup.sink, machine, cap, workers, start};
  std::unique_ptr<pipeline::HeadStart> head_start;
  if (start.under_way() && !options.plan) head_start = begin_reading(wish, invocation.stop);
  RunChoice choice = choose_run(wish, log);
  pipeline::Plan& plan = choice.plan;
  keep_if_it_fits(head_start, plan);
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
  for (const auto& product : setup.products) locks.push_back(std::make_unique<io::OutputLock>(product));
  if (setup.quicklook) setup.quicklook->open(log);
  const double before_s = wall_s();
  setup.spare_bytes = plan.slots * plan.layout->total_bytes() + plan.bands.buffers * plan.bands.bytes;
  if (setup.complete) setup.step = setup.complete(setup);
  setup.step = model::solved_by(std::move(setup.step), choice.solver);
  pipeline::ReportContext context{invocation.command_line, version,
                                  setup.step.name,         exit_code::done,
                                  invocation.exec_s,       choice.backend().instruction_set(),
                                  wall_s() - before_s,     {},
                                  setup.step.size};
  pipeline::RunResult result =
      pipeline::run({plan, setup.step, *setup.source, *setup.sink, choice.backend(), workers, invocation.stop,
                     progress_of(options), options.trace_path.has_value(), choice.host.get(),
                     [&log](const std::string& sentence) { log.warn(sentence); }, head_start.get()});
  if (choice.device && result.device == choice.host->name()) tell_of_host(*choice.host, plan, context);
  result.bytes_read += setup.before.read;
  result.bytes_decoded += setup.before.decoded;
  const std::vector<Deviations> deviations = deviations_of_steps(setup, result.tally);
  context.deviations = sum_of(deviations);
  if (!result.error) complete(setup, plan, result, deviations, context, invocation.exec_s, log);
  if (result.error) {
    context.exit_code = code_of_started(*result.error);
    log.error(result.error->what());
    if (!result.error->detail().empty()) log.detail(result.error->detail());
  }
  write_reports(options, plan, result, context, log);
  return context.exit_code;
}

}  // namespace outcrop::tools
