// Running a step that a command has set up: backend, plan, run, commit, report. The same for every step.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/log.hpp"
#include "gpu/device_start.hpp"
#include "io/h5_source.hpp"
#include "io/output_file.hpp"
#include "io/tile_sink.hpp"
#include "io/tile_source.hpp"
#include "model/step.hpp"
#include "tools/outcrop/action.hpp"
#include "tools/outcrop/common_options.hpp"
#include "tools/outcrop/quicklook/quicklook.hpp"

namespace outcrop::tools {

/// A step, or a chain of two, ready to be planned.
struct StepSetup {
  model::Step step;
  std::vector<io::PlaneRequest> requests;  ///< in the order of the step's inputs
  std::vector<io::OutputFile> files;       ///< in the order in which they appear; their group is the step's number
  std::unique_ptr<io::TileSource> source;
  std::unique_ptr<io::TileSink> sink;
  std::vector<std::string> products;  ///< final names, for the last lines
  std::vector<std::string> notes;     ///< implicit inputs used or not found
  std::optional<double> template_memory_gb;
  std::map<std::string, std::int64_t> deviations;       ///< differences from MintPy known before the run
  std::map<std::string, std::int64_t> then_deviations;  ///< of the second step of a chain

  std::int64_t spare_bytes = 0;  ///< memory that complete() may use: what slots and bands take later; set by run_step

  io::DecodeVolume before;  ///< what complete() read of whole planes: a part of the report's bytes

  /// Reads what is needed before the first tile (the values at the reference pixel) and gives the step complete with
  /// it. May add deviations. Empty: the step is complete already.
  std::function<model::Step(StepSetup&)> complete;

  /// Pixels that count as solved without any observation (the reference pixel).
  std::int64_t granted_pixels = 0;

  std::shared_ptr<Quicklook> quicklook;  ///< draws maps of the outputs, when asked to
};

/// Opens the source and makes the sink of a scene of rows x cols from the setup's requests and files.
void open_files(StepSetup& setup, std::int64_t rows, std::int64_t cols, const io::SourceOptions& options, Log& log);

/// Lets the sink's planes be seen by a quicklook in the folder of --quicklook; does nothing without that option.
/// Throws Errc::usage when the folder cannot be written to.
void add_quicklook(const CommonOptions& options, QuicklookWishes wishes, StepSetup& setup);

/// `start`: of the device that is wanted, while which the first tiles are read. Gives the exit code: 0, 1 or 130.
/// Throws what stops the run before its first output byte.
int run_step(const CommonOptions& options, const pipeline::Config& config, StepSetup setup,
             const gpu::DeviceStart& start, const Invocation& invocation, Log& log);

}  // namespace outcrop::tools
