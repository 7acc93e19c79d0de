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

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "gpu/backend.hpp"
#include "gpu/device.hpp"
#include "pipeline/host.hpp"
#include "pipeline/rate_correction.hpp"
#include "pipeline/workers.hpp"
#include "tools/outcrop/device_options.hpp"
#include "tools/outcrop/exit_code.hpp"
#include "tools/outcrop/measure/device.hpp"
#include "tools/outcrop/measure/machine.hpp"
#include "tools/outcrop/version.hpp"
#include "tools/outcrop/written_files.hpp"

namespace outcrop::tools {
namespace {

constexpr const char* examples = R"(Examples:
  outcrop measure --storage /data/project -o machine.toml
  outcrop measure --quick --cached
  outcrop measure --device cuda:1 -o machine.toml
  outcrop measure --report run1.json run2.json run3.json --machine machine.toml -o corrected.toml
Let --plan and --report predict with what was measured by a configuration (--config my.toml) that says
  [machine]
  file = "machine.toml"
Measure while nothing else runs; it takes about half a minute, for a device some seconds more, with --quick some seconds,
512 MB of memory and some 1.2 GB in the folder of --storage. Without -o the machine file goes to standard output.)";

/// A device to measure.
struct OpenedDevice {
  std::shared_ptr<gpu::Runtime> runtime;
  double start_s = 0;
};

struct MeasureFlags {
  std::vector<std::string> devices;
  std::vector<std::string> reports;
  std::optional<std::string> machine;
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

OpenedDevice open_one(const std::string& name) {
  const double before_s = wall_s();
  auto runtime = gpu::open_device(name, {});
  return {std::move(runtime), wall_s() - before_s};
}

OpenedDevice open_named(const std::string& name) {
  try {
    return open_one(name);
  } catch (const Error& error) {
    const char* const advice = error.code() == Errc::usage
                                   ? "give cuda, cuda:N with N from 0, or sim; the host is measured in any case"
                                   : "without --device the devices that are there are measured, and the host";
    fail(error.code(), fmt::format("--device {}: {}; {}", name, error.what(), advice));
  }
}

/// Those that were named; else the CUDA devices, when there are some.
std::vector<OpenedDevice> open_devices(const std::vector<std::string>& names, Log& log) {
  std::vector<OpenedDevice> opened;
  for (const std::string& name : names) opened.push_back(open_named(name));
  if (!names.empty() || !gpu::has_nvidia_driver()) return opened;
  try {
    for (int number = 0;; ++number) opened.push_back(open_one(fmt::format("cuda:{}", number)));
  } catch (const Error& error) {
    if (opened.empty()) log.warn(fmt::format("no device is measured: {}", error.what()));
  }
  return opened;
}

pipeline::DeviceRates measure_one(const OpenedDevice& opened, const MeasureOptions& options,
                                  const std::atomic<int>& stop, Log& log) {
  log.info(fmt::format("measuring the device {}", opened.runtime->name()));
  const pipeline::Workers workers(options.threads, pipeline::Runner::graph);
  const auto make_backend = [&](bool host_assembles) {
    pipeline::Config config;
    config.host_assembles = host_assembles;
    return gpu::make_backend(opened.runtime, device_options(config, workers.solve_for(), log));
  };
  pipeline::DeviceRates rates = measure_device(make_backend, options.quick, &stop);
  rates.start_s = opened.start_s;
  return rates;
}

std::vector<std::string> remarks_on(const MeasureOptions& options) {
  double load[1] = {0};
  const bool known = ::getloadavg(load, 1) == 1;
  return {fmt::format("Measured by outcrop {}{}: {} threads, files {}; load average at the end {}.", version,
                      options.quick ? " measure --quick" : " measure", options.threads,
                      options.cached ? "in the page cache" : "not in the page cache",
                      known ? fmt::format("{:.2f}", load[0]) : "not known")};
}

void put_out(const std::string& text, const std::optional<std::string>& path) {
  if (path) write_result(*path, text);
  std::cout << (path ? *path + "\n" : text);
  if (!std::cout.flush()) fail(Errc::io, "writing the machine file to standard output failed");
}

/// Without measuring: what runs took beside what was predicted for them.
void correct(const MeasureFlags& flags, Log& log) {
  for (const std::string& path : flags.reports) {
    if (flags.output && same_file(path, *flags.output)) {
      fail(Errc::usage, fmt::format("-o {} is the run report that is read; name another file", *flags.output));
    }
  }
  pipeline::Machine machine = flags.machine ? pipeline::read_machine(*flags.machine) : pipeline::reference_machine();
  std::vector<pipeline::ReportComparison> reports;
  for (const std::string& path : flags.reports) reports.push_back(pipeline::read_report_comparison(path));
  for (const std::string& sentence : pipeline::correct_rates(machine, reports)) log.info(sentence);
  put_out(pipeline::machine_toml(machine, {fmt::format("The rates of {}, corrected by outcrop {} with {} run report{}.",
                                                       flags.machine.value_or("the built-in machine"), version,
                                                       reports.size(), reports.size() == 1 ? "" : "s")}),
          flags.output);
}

void measure(const MeasureFlags& flags, const std::vector<OpenedDevice>& devices, const Invocation& invocation,
             Log& log) {
  MeasureOptions options = flags.options;
  if (options.threads <= 0) options.threads = static_cast<int>(pipeline::usable_threads().value);
  pipeline::Machine machine = measure_machine(options, invocation.stop, log);
  for (const auto& device : devices) machine.devices.push_back(measure_one(device, options, invocation.stop, log));
  put_out(pipeline::machine_toml(machine, remarks_on(options)), flags.output);
}

int run(const MeasureFlags& flags, const Invocation& invocation) {
  Log log(flags.quiet ? Verbosity::quiet : Verbosity::normal);
  if (flags.output) check_output(*flags.output);
  const bool from_reports = !flags.reports.empty();
  if (flags.machine && !from_reports)
    fail(Errc::usage, "--machine goes with --report: it is the file whose rates are corrected");
  const std::vector<OpenedDevice> devices =
      from_reports ? std::vector<OpenedDevice>{} : open_devices(flags.devices, log);
  try {
    if (from_reports) {
      correct(flags, log);
    } else {
      measure(flags, devices, invocation, log);
    }
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
  command
      ->add_option("--device", flags->devices,
                   "Devices to measure: cuda, cuda:N, sim (default: the CUDA devices, when there are some)")
      ->type_name("NAME")
      ->expected(1, -1);
  command->add_option("-o,--output", flags->output, "Machine file to write")->type_name("FILE");
  command->add_flag("--quick", flags->options.quick, "Smaller files and problems");
  command->add_flag("--cached", flags->options.cached,
                    "Reading of files that are in the page cache already, not from the storage below it");
  flags->options.threads = 0;
  command->add_option("--threads", flags->options.threads, "Threads of the runs to predict (default: all processors)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  command
      ->add_option("--report", flags->reports,
                   "Measure nothing; correct the rates of --machine by these run reports, which it predicted")
      ->type_name("FILE.json")
      ->expected(1, -1);
  command->add_option("--machine", flags->machine, "With --report: the machine file (default: the built-in one)")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", flags->quiet, "Only warnings and errors");
  command->callback(
      [flags, &chosen] { chosen = [flags](const Invocation& invocation) { return run(*flags, invocation); }; });
}

}  // namespace outcrop::tools
