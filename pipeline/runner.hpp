// Running a plan: the same stages in a flow graph, or one tile after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "core/status.hpp"
#include "core/trace.hpp"
#include "io/tile_sink.hpp"
#include "io/tile_source.hpp"
#include "pipeline/head_start.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run_state.hpp"
#include "pipeline/slot_pool.hpp"
#include "pipeline/workers.hpp"

namespace outcrop::pipeline {

/// What a run works on. Everything must outlive it.
struct Job {
  const Plan& plan;
  const model::Step& step;
  const io::TileSource& source;
  io::TileSink& sink;
  Backend& backend;
  Workers& workers;
  const StopSignal& stop;
  ProgressStyle progress = ProgressStyle::none;
  bool keep_spans = false;
  Backend* host = nullptr;  ///< takes the whole run over when the memory of `backend` does not hold one slot
  Warn warn = nullptr;
  HeadStart* head_start = nullptr;  ///< has read tiles already, by this plan
};

struct RunResult {
  std::string device;  ///< the backend that ran
  int slots = 0;
  Tally tally;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_decoded = 0;
  std::int64_t bytes_written = 0;
  std::int64_t tiles_done = 0;
  double first_read_s = 0;  ///< wall_s() when the first tile was begun
  std::vector<StageTotals> stages;
  std::vector<Span> spans;
  int slots_alive = 0;         ///< slots that did not come home: always 0
  std::optional<Error> error;  ///< the first one, or Errc::cancelled after a signal
};

/// Begins the sink and takes every tile through read, decode, solve, gather and write. Does not commit the sink.
/// After an error or a signal all slots come home, the sink is abandoned, and the result carries the error.
RunResult run(const Job& job);

}  // namespace outcrop::pipeline
