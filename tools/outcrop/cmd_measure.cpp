// The flags of `outcrop measure`.
#include "tools/outcrop/cmd_measure.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/log.hpp"
#include "pipeline/host.hpp"
#include "tools/outcrop/exit_code.hpp"
#include "tools/outcrop/measure/machine.hpp"
#include "tools/outcrop/version.hpp"
#include "tools/outcrop/written_files.hpp"

namespace outcrop::tools {
namespace {

constexpr const char* examples = R"(Examples:
  outcrop measure --storage /data/project -o machine.toml
  outcrop measure --quick --cached
Let --plan and --report predict with what was measured by a configuration (--config my.toml) that says
  [machine]
  file = "machine.toml"
Measure while nothing else runs; it takes up to half a minute, with --quick some seconds, 512 MB of memory and up to a GB
in the folder of --storage. Without -o the machine file goes to standard output.)";

struct MeasureFlags {
  MeasureOptions options;
  std::optional<std::string> output;
  bool quiet = false;
};

/// Now, not after half a minute.
void check_output(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string name = folder.empty() ? "." : folder.string();
  if (::access(name.c_str(), W_OK) != 0 || std::filesystem::is_directory(path)) {
    fail(Errc::usage, fmt::format("-o {}: no file can be written there", path));
  }
}

std::vector<std::string> remarks_on(const MeasureOptions& options) {
  double load[1] = {0};
  const bool known = ::getloadavg(load, 1) == 1;
  return {fmt::format("Measured by outcrop {}{}: {} threads, files {}; load average at the end {}.", version,
                      options.quick ? " measure --quick" : " measure", options.threads,
                      options.cached ? "in the page cache" : "not in the page cache",
                      known ? fmt::format("{:.2f}", load[0]) : "not known")};
}

int run(const MeasureFlags& flags, const Invocation& invocation) {
  Log log(flags.quiet ? Verbosity::quiet : Verbosity::normal);
  if (flags.output) check_output(*flags.output);
  MeasureOptions options = flags.options;
  if (options.threads <= 0) options.threads = static_cast<int>(pipeline::usable_threads().value);
  try {
    const pipeline::Machine machine = measure_machine(options, invocation.stop, log);
    const std::string text = pipeline::machine_toml(machine, remarks_on(options));
    if (flags.output) write_result(*flags.output, text);
    std::cout << (flags.output ? *flags.output + "\n" : text);
    if (!std::cout.flush()) fail(Errc::io, "writing the machine file to standard output failed");
  } catch (const Error& error) {
    if (error.code() == Errc::usage) throw;
    log.error(error.what());
    return code_of_started(error);
  }
  return exit_code::done;
}

}  // namespace

void add_measure(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("measure", "Measure this machine, for predictions");
  command->footer(examples);
  const auto flags = std::make_shared<MeasureFlags>();
  command->add_option("--storage", flags->options.folder, "Folder on the storage to measure (default: this one)")
      ->type_name("PATH");
  command->add_option("-o,--output", flags->output, "Machine file to write")->type_name("FILE");
  command->add_flag("--quick", flags->options.quick, "Smaller files and problems");
  command->add_flag("--cached", flags->options.cached,
                    "Reading of files that are in the page cache already, not from the storage below it");
  flags->options.threads = 0;
  command->add_option("--threads", flags->options.threads, "Threads of the runs to predict (default: all processors)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  command->add_flag("-q,--quiet", flags->quiet, "Only warnings and errors");
  command->callback(
      [flags, &chosen] { chosen = [flags](const Invocation& invocation) { return run(*flags, invocation); }; });
}

}  // namespace outcrop::tools
