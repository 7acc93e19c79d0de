#include "pipeline/runner.hpp"

#include <fmt/format.h>
#include <algorithm>

#include <memory>

#include "pipeline/tile_work.hpp"

namespace outcrop::pipeline {
namespace {

/// Stages that spread over workers know their processor time only from the workers themselves.
void set_parallel_times(std::vector<StageTotals>& stages, const Workers& workers) {
  const bool on_device =
      std::any_of(stages.begin(), stages.end(), [](const StageTotals& stage) { return stage.stage == "copy_in"; });
  for (auto& stage : stages) {
    const MeteredFor* meter = stage.stage == "decode"  ? &workers.decode_for()
                              : stage.stage == "solve" ? &workers.solve_for()
                                                       : nullptr;
    // A device solves without the workers, but for the pixels that it marks.
    if (meter == nullptr || meter->busy_s() == 0 || (on_device && stage.stage == "solve")) continue;
    stage.busy_s = meter->busy_s();
    stage.cpu_s = meter->cpu_s();
  }
}

Job with_backend(const Job& job, Backend& backend) {
  return {job.plan, job.step,     job.source,     job.sink, backend,  job.workers,
          job.stop, job.progress, job.keep_spans, job.host, job.warn, job.head_start};
}

/// Nothing has been written when this fails, so that the host can take over, and with it what a head start has read.
std::unique_ptr<TileWork> make_work(const Job& job, const Job& on_host, RunState& state) {
  try {
    return std::make_unique<TileWork>(job, state);
  } catch (const Error& error) {
    if (&on_host.backend == &job.backend || error.code() != Errc::out_of_memory) throw;
    if (job.warn)
      job.warn(
          fmt::format("running on the {} instead of {}: {}", on_host.backend.name(), job.backend.name(), error.what()));
    return std::make_unique<TileWork>(on_host, state);
  }
}

std::optional<Error> error_of(const RunState& state) {
  try {
    state.rethrow();
  } catch (Error& error) {
    return std::move(error);
  }
  return std::nullopt;
}

}  // namespace

RunResult run(const Job& job) {
  RunState state(job.stop, job.keep_spans);
  RunResult result;
  try {
    const Job on_host = with_backend(job, job.host != nullptr ? *job.host : job.backend);
    const std::unique_ptr<TileWork> work = make_work(job, on_host, state);
    result.device = work->backend().name();
    result.slots = work->num_slots();
    if (job.head_start != nullptr) job.head_start->end();
    job.sink.begin();
    job.workers.execute([&] {
      if (job.plan.runner == Runner::serial) {
        run_serial(*work);
      } else {
        run_graph(*work, job.plan);
      }
    });
    work->wait_for_solved();
    work->finish_progress();
    result.slots_alive = work->slots_alive();
    result.first_read_s = work->first_read_s();
  } catch (...) {
    state.fail(current_error());
  }
  result.tally = state.tally();
  result.bytes_read = state.bytes_read;
  result.bytes_decoded = state.bytes_decoded;
  result.bytes_written = state.bytes_written;
  result.tiles_done = state.tiles_done;
  result.stages = state.trace.totals();
  set_parallel_times(result.stages, job.workers);
  result.spans = state.trace.spans();
  result.error = error_of(state);
  if (result.error) job.sink.abandon();
  return result;
}

}  // namespace outcrop::pipeline
