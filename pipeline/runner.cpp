#include "pipeline/runner.hpp"

#include "pipeline/tile_work.hpp"

namespace outcrop::pipeline {
namespace {

/// Stages that spread over workers know their processor time only from the workers themselves.
void set_parallel_times(std::vector<StageTotals>& stages, const Workers& workers) {
  for (auto& stage : stages) {
    const MeteredFor* meter = stage.stage == "decode"  ? &workers.decode_for()
                              : stage.stage == "solve" ? &workers.solve_for()
                                                       : nullptr;
    if (meter == nullptr) continue;
    stage.busy_s = meter->busy_s();
    stage.cpu_s = meter->cpu_s();
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
    TileWork work(job, state);
    job.sink.begin();
    job.workers.execute([&] {
      if (job.plan.runner == Runner::serial) {
        run_serial(work);
      } else {
        run_graph(work, job.plan);
      }
    });
    job.backend.drain();
    work.finish_progress();
    result.slots_alive = work.slots_alive();
    result.first_read_s = work.first_read_s();
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
