// Running a step that a command has set up: backend, plan, run, commit, report. The same for every step.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/log.hpp"
#include "io/tile_sink.hpp"
#include "io/tile_source.hpp"
#include "model/step.hpp"
#include "tools/outcrop/action.hpp"
#include "tools/outcrop/common_options.hpp"

namespace outcrop::tools {

/// A step, ready to be planned.
struct StepSetup {
  model::Step step;
  std::unique_ptr<io::TileSource> source;
  std::unique_ptr<io::TileSink> sink;
  std::vector<std::string> products;  ///< final names, for the last lines; the first one is locked during the run
  std::vector<std::string> notes;     ///< implicit inputs used or not found
  std::optional<double> template_memory_gb;
  std::map<std::string, std::int64_t> deviations;  ///< differences from MintPy known before the run

  std::int64_t spare_bytes = 0;  ///< memory that complete() may use: what slots and bands take later; set by run_step

  io::DecodeVolume before;  ///< what complete() read of whole planes: a part of the report's bytes

  /// Reads what is needed before the first tile (the values at the reference pixel) and gives the step complete with
  /// it. May add deviations. Empty: the step is complete already.
  std::function<model::Step(StepSetup&)> complete;

  /// Pixels that count as solved without any observation (the reference pixel).
  std::int64_t granted_pixels = 0;
};

/// Gives the exit code: 0, 1 or 130. Throws what stops the run before its first output byte.
int run_step(const CommonOptions& options, const pipeline::Config& config, StepSetup setup,
             const Invocation& invocation, Log& log);

}  // namespace outcrop::tools
