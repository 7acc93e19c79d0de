#include "tools/outcrop/common_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "core/error.hpp"
#include "core/units.hpp"
#include "tools/outcrop/version.hpp"

namespace outcrop::tools {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

/// MintPy's values of --config, which name a dask configuration.
bool is_dask_config(const std::string& value) {
  static const std::set<std::string> names = {"none", "no", "local", "slurm", "pbs", "lsf"};
  return names.contains(value);
}

void add_machine_options(CLI::App& command, CommonOptions& o) {
  const char* group = "Machine";
  command.add_option("--config", o.config_path, "Configuration of outcrop (TOML); flags win over it")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option("--threads,--num-worker", o.threads,
                  "Worker threads (default: what affinity, cgroup and SLURM allow)")
      ->check(CLI::Range(1, 4096))
      ->type_name("N")
      ->group(group);
  command
      .add_option(
          "--memory,--ram,--maxmemory", o.memory,
          "Hard cap on resident memory: 2G, 512M, or a number in GB (default: maxMemory of the template, else half "
          "of what is available)")
      ->type_name("SIZE")
      ->group(group);
  command.add_option("--tile", o.tile, "Input tile, instead of the planned one")->type_name("ROWSxCOLS")->group(group);
  command
      .add_option(
          "--device", o.device,
          "auto (the host or a device of the machine file, whichever is predicted to be faster), cpu, cuda, cuda:N "
          "(device N of the driver), or sim (the simulated device, section [sim] of the configuration)")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  command
      .add_option(
          "--solver", o.solver,
          "structured (the structure of network or model), batched (normal equations of many pixels); auto takes the "
          "faster by the machine file, else structured")
      ->check(CLI::IsMember({"auto", "structured", "batched"}))
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
}

void add_run_options(CLI::App& command, CommonOptions& o) {
  const char* group = "Run";
  command.add_option("--work-dir", o.work_dir, "Go to this folder first")->type_name("DIR")->group(group);
  command.add_option("--out-dir", o.out_dir, "Folder for outputs with default names; made when it is not there")
      ->type_name("DIR")
      ->group(group);
  command.add_flag("--update", o.update, "Skip when the outputs are complete, newer, and made with the same options")
      ->group(group);
  command.add_option("--plan", o.plan, "Dry run: print the plan and stop (--plan=json for programs)")
      ->expected(0, 1)
      ->default_str("text")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("[json]")
      ->group(group);
  command.add_option("--report", o.report_path, "Write what the run did and took")
      ->type_name("FILE.json")
      ->group(group);
  command.add_option("--trace", o.trace_path, "Write a Chrome trace of tiles and stages")
      ->type_name("FILE.json")
      ->group(group);
  command
      .add_option("--quicklook", o.quicklook,
                  "Also draw maps of the result as PNG into this folder, with an index.html that shows them, settings "
                  "and numbers")
      ->type_name("DIR")
      ->group(group);
  command
      .add_flag("--allow-external", o.allow_external, "Follow external storage and virtual sources out of the folder")
      ->group(group);
  command.add_flag("--accept-geometry", o.accept_geometry, "Go on after a failed plausibility check")->group(group);
  command
      .add_flag("--mintpy-compat", o.mintpy_compat,
                "MintPy's answer wherever MintPy finishes, where outcrop's is another")
      ->group(group);
  command.add_flag("-q,--quiet", o.quiet, "Warnings only")->group(group);
  command.add_flag("-v,--verbose", o.verbose, "More detail, library errors included")->group(group);
  command.add_option("--progress", o.progress, "auto, plain or none")
      ->check(CLI::IsMember({"auto", "plain", "none"}))
      ->capture_default_str()
      ->type_name("STYLE")
      ->group(group);
}

}  // namespace

void add_not_built(CLI::App& command, CommonOptions& options, const std::string& flag, int values,
                   const std::string& help) {
  const std::string text = help + " (not built yet)";
  const auto note = [&options, flag] { options.not_built.push_back(flag); };
  if (values == 0) {
    command.add_flag_callback(flag, note, text)->group("Not built yet");
  } else {
    command
        .add_option_function<std::vector<std::string>>(
            flag, [note](const auto&) { note(); }, text)
        ->expected(0, 1)
        ->group("Not built yet");
  }
}

void add_common_options(CLI::App& command, CommonOptions& o) {
  command.add_option("-t,--template", o.template_path, "MintPy template with the options; flags win over it")
      ->type_name("FILE");
  add_machine_options(command, o);
  add_run_options(command, o);
  command.add_option("-c,--cluster", o.cluster, "MintPy's dask option: accepted and ignored")->group("Ignored");
  command.add_option("--ref-date", o.ref_date, "MintPy's unused option: accepted and ignored")->group("Ignored");
  add_not_built(command, o, "--resume", 0, "Continue an unfinished run, or refuse");
  add_not_built(command, o, "--restart", 0, "Discard an unfinished run");
  add_not_built(command, o, "--verify", 0, "Check all finished tiles on resuming");
  add_not_built(command, o, "--time-limit", 1, "Stop tidily before this time");
}

void refuse_not_built(const CommonOptions& options) {
  if (!options.not_built.empty()) {
    fail(Errc::usage, fmt::format("{} is not built yet in outcrop {}", options.not_built.front(), version));
  }
}

Verbosity verbosity_of(const CommonOptions& options) {
  if (options.verbose) return Verbosity::verbose;
  return options.quiet ? Verbosity::quiet : Verbosity::normal;
}

pipeline::ProgressStyle progress_of(const CommonOptions& options) {
  if (options.progress == "none" || options.quiet) return pipeline::ProgressStyle::none;
  return options.progress == "plain" ? pipeline::ProgressStyle::plain : pipeline::ProgressStyle::automatic;
}

pipeline::Config prepare(const CommonOptions& options, Log& log) {
  if (!options.work_dir.empty()) {
    std::error_code error;
    std::filesystem::current_path(options.work_dir, error);
    if (error) fail(Errc::usage, fmt::format("--work-dir {}: {}", options.work_dir, error.message()));
  }
  if (options.cluster)
    log.info(fmt::format("--cluster {} is ignored: outcrop uses the threads of one machine", *options.cluster));
  if (options.ref_date) log.info("--ref-date is ignored, as in MintPy: the reference date is the first date");
  pipeline::Config config;
  if (options.config_path && is_dask_config(*options.config_path)) {
    log.info(fmt::format("--config {} is ignored: it names a dask configuration of MintPy", *options.config_path));
  } else if (options.config_path) {
    config = pipeline::read_config(*options.config_path);
  }
  if (options.threads) config.threads = *options.threads;
  if (options.tile) pipeline::parse_tile(*options.tile, config);
  if (options.device != "auto") config.device = options.device;
  if (options.solver != "auto") config.solver = options.solver;
  if (options.memory) {
    const auto bytes = parse_bytes(*options.memory, gib);
    if (!bytes) {
      fail(Errc::usage, fmt::format("--memory {}: a size is 2G, 512M, or a number in GB", *options.memory));
    }
    config.memory_bytes = *bytes;
  }
  return config;
}

std::string first_log_line(const CommonOptions& options, const std::vector<std::string>& command_line) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const char* job = std::getenv("SLURM_JOB_ID");
  return fmt::format("outcrop {} on {}{}: {}{}", version, host.data(),
                     job != nullptr ? fmt::format(", job {}", job) : "", fmt::join(command_line, " "),
                     options.template_path ? fmt::format("; template {}", *options.template_path) : "");
}

}  // namespace outcrop::tools
