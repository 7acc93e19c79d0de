// The options that every step shares, as the command line gave them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/log.hpp"
#include "pipeline/config.hpp"
#include "pipeline/progress.hpp"

namespace CLI {
class App;
}

namespace outcrop::tools {

struct CommonOptions {
  std::optional<std::string> template_path;
  std::optional<std::string> config_path;
  std::optional<std::string> cluster;   ///< MintPy's: accepted and ignored
  std::optional<std::string> ref_date;  ///< MintPy's: accepted and ignored
  std::optional<int> threads;
  std::optional<std::string> memory;
  std::string work_dir;
  std::string out_dir;
  std::optional<std::string> tile;
  std::string device = "auto";
  std::string solver = "auto";
  std::optional<std::string> plan;  ///< "text" or "json": dry run
  std::optional<std::string> report_path;
  std::optional<std::string> trace_path;
  std::optional<std::string> quicklook;  ///< folder for maps
  bool update = false;
  bool allow_external = false;
  bool accept_geometry = false;
  bool mintpy_compat = false;
  bool quiet = false;
  bool verbose = false;
  std::string progress = "auto";
  std::vector<std::string> not_built;  ///< flags given that parse but are refused
};

/// Adds the shared flags to a command.
void add_common_options(CLI::App& command, CommonOptions& options);

/// A flag that cli documents but that is not built yet: parses, marked in --help, refused by refuse_not_built().
/// `values`: 0 for a switch, 1 for a flag with a value.
void add_not_built(CLI::App& command, CommonOptions& options, const std::string& flag, int values,
                   const std::string& help);

/// Throws Errc::usage for the first flag that is not built yet.
void refuse_not_built(const CommonOptions& options);

Verbosity verbosity_of(const CommonOptions& options);
pipeline::ProgressStyle progress_of(const CommonOptions& options);

/// Goes to --work-dir, reads --config, lets flags win, says what is ignored. Throws Errc::usage.
pipeline::Config prepare(const CommonOptions& options, Log& log);

/// The first line of a log: version, host, job, command, template.
std::string first_log_line(const CommonOptions& options, const std::vector<std::string>& command_line);

}  // namespace outcrop::tools
