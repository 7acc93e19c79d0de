// The flags of `outcrop simulate`.
#include "tools/outcrop/cmd_simulate.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/log.hpp"
#include "tools/outcrop/exit_code.hpp"
#include "tools/outcrop/simulate/check.hpp"
#include "tools/outcrop/simulate/simulate.hpp"

namespace outcrop::tools {
namespace {

constexpr const char* examples = R"(Examples:
  outcrop simulate scene --rows 300 --cols 400 --dates 40
  outcrop simulate big --rows 20000 --cols 20000 --dates 98 --pairs-per-date 5 --nan 0.02 --cut-frac 0.01
  outcrop simulate packed --chunks 16,63,54 --compression gzip+shuffle
  cd scene && outcrop invert-network inputs/ifgramStack.h5 && outcrop simulate . --check)";

struct SimulateFlags {
  SimulateOptions options;
  std::vector<std::int64_t> zero_block;
  std::vector<std::int64_t> water;
  bool check = false;
  bool quiet = false;
};

/// first row, row after the last, first column, column after the last.
std::optional<TileRect> rect_of(const std::vector<std::int64_t>& limits) {
  if (limits.empty()) return std::nullopt;
  return TileRect{limits[0], limits[2], limits[1] - limits[0], limits[3] - limits[2]};
}

void add_network_flags(CLI::App& command, NetworkOptions& network) {
  command.add_option("--dates", network.dates, "Acquisitions")->capture_default_str();
  command.add_option("--pairs-per-date", network.pairs_per_date, "Following dates that each date is paired with")
      ->capture_default_str();
  command.add_option("--clusters", network.clusters, "Groups of dates that no pair connects")->capture_default_str();
  command.add_option("--long-pairs", network.long_pairs, "Pairs over a quarter of the time or more, on top")
      ->capture_default_str();
  command.add_option("--interval", network.interval_days, "Days between acquisitions")->capture_default_str();
}

void add_sample_flags(CLI::App& command, SimulateFlags& flags) {
  SimulateOptions& o = flags.options;
  command.add_option("--noise", o.noise, "Scale of the decorrelation noise; 0: none")->capture_default_str();
  command.add_option("--nan", o.nan_frac, "Share of samples that are NaN")->capture_default_str();
  command.add_option("--cut-frac", o.cut_frac, "Share of pixels whose network NaNs cut in two")->capture_default_str();
  command.add_option("--isolate-frac", o.isolate_frac, "Share of pixels without any pair of one date")
      ->capture_default_str();
  command.add_option("--zero-block", flags.zero_block, "R0,R1,C0,C1: no data (0) in these rows and columns")
      ->delimiter(',')
      ->expected(4);
  command.add_option("--water", flags.water, "R0,R1,C0,C1: water there, and a waterMask.h5")
      ->delimiter(',')
      ->expected(4);
}

void add_flags(CLI::App& command, SimulateFlags& flags) {
  SimulateOptions& o = flags.options;
  command.add_option("DIR", o.dir, "Folder: inputs/ifgramStack.h5, inputs/geometryRadar.h5 and truth.h5 go there")
      ->required();
  command.add_option("--rows", o.rows, "Rows of pixels")->capture_default_str();
  command.add_option("--cols", o.cols, "Columns of pixels")->capture_default_str();
  add_network_flags(command, o.network);
  add_sample_flags(command, flags);
  command.add_flag("--bperp3d", o.bperp3d, "Geometry with a perpendicular baseline for each pixel and date");
  command.add_option("--chunks", o.chunks, "Of stack and geometry: none (contiguous), auto (h5py's guess) or Z,Y,X");
  command.add_option("--compression", o.compression,
                     "Of stack and geometry: none, lzf, gzip, lzf+shuffle, gzip+shuffle");
  command.add_flag("--fletcher32", o.fletcher32, "Chunks of stack and geometry have checksums");
  command.add_option("--seed", o.seed, "Equal seeds and options give equal files")->capture_default_str();
  command.add_option("--threads", o.threads, "Threads (default: one for each processor)");
  command.add_flag("-q,--quiet", flags.quiet, "Only warnings and errors");
  command.add_flag("--check", flags.check,
                   "Make nothing: compare DIR/timeseries.h5 with DIR/truth.h5, where the pixel's network is whole and "
                   "DIR/temporalCoherence.h5 is at least 0.7");
}

void print_check(const TruthCheck& check) {
  const std::string text = fmt::format(
      "series - truth: rms {:.3f} mm, largest {:.3f} mm (the truth: rms {:.1f} mm)\n"
      "compared {} of {} pixels; {} solved\n",
      check.rms_m * 1e3, check.max_m * 1e3, check.truth_rms_m * 1e3, check.compared, check.pixels, check.solved);
  if (std::fputs(text.c_str(), stdout) < 0) fail(Errc::io, "writing the comparison to standard output failed");
}

int run(SimulateFlags flags, const Invocation& invocation) {
  Log log(flags.quiet ? Verbosity::quiet : Verbosity::normal);
  if (flags.check) {
    print_check(check_truth(flags.options.dir, log));
    return exit_code::done;
  }
  flags.options.zero_block = rect_of(flags.zero_block);
  flags.options.water = rect_of(flags.water);
  try {
    simulate(flags.options, log, invocation.stop);
  } catch (const Error& error) {
    if (error.code() == Errc::usage) throw;
    log.error(error.what());
    return code_of_started(error);
  }
  return exit_code::done;
}

}  // namespace

void add_simulate(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("simulate", "Write a synthetic scene with known truth, of any size");
  command->footer(examples);
  const auto flags = std::make_shared<SimulateFlags>();
  add_flags(*command, *flags);
  command->callback(
      [flags, &chosen] { chosen = [flags](const Invocation& invocation) { return run(*flags, invocation); }; });
}

}  // namespace outcrop::tools
