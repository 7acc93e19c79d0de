// outcrop: reads the command line, hands over to a command, turns errors into one sentence and an exit code.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstring>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "io/last_opened.hpp"
#include "pipeline/config.hpp"
#include "pipeline/host.hpp"
#include "tools/outcrop/arguments.hpp"
#include "tools/outcrop/cmd_compare.hpp"
#include "tools/outcrop/cmd_correct_topography.hpp"
#include "tools/outcrop/cmd_info.hpp"
#include "tools/outcrop/cmd_invert_network.hpp"
#include "tools/outcrop/cmd_measure.hpp"
#include "tools/outcrop/cmd_model.hpp"
#include "tools/outcrop/cmd_simulate.hpp"
#include "tools/outcrop/exit_code.hpp"
#include "tools/outcrop/version.hpp"

namespace {

using namespace outcrop;

/// Signal handlers can reach nothing but this.
pipeline::StopSignal stop_signal{0};

void on_signal(int number) {
  // A second signal ends the process at once.
  if (stop_signal.exchange(number) != 0) std::_Exit(tools::exit_code::stopped);
}

void say(const char* text) { static_cast<void>(!::write(STDERR_FILENO, text, std::strlen(text))); }

/// HDF5 1.10 crashes or loops on some damaged headers: the user gets a sentence and an exit code, not a core dump.
void on_crash(int) {
  say("outcrop: crashed or stuck; the HDF5 library does so on some damaged files, and the last one opened was '");
  say(io::last_opened());
  say("': copy it or make it again, and if it is sound report this\n");
  std::_Exit(tools::exit_code::failed);
}

void handle_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGUSR1}) sigaction(number, &action, nullptr);
  for (const int number : {SIGSEGV, SIGBUS, SIGPROF}) std::signal(number, on_crash);
  // A closed pipe and a file size limit are errors of the write that meets them.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

/// The arguments with prefixes of long flags expanded for the command they belong to, which may have parts of its own.
/// Throws Errc::usage when a word is no command where one is needed.
std::vector<std::string> expanded(const std::vector<std::string>& arguments, const CLI::App& app,
                                  std::size_t depth = 0) {
  if (app.get_require_subcommand_min() == 0) return tools::expand_prefixes(arguments, app);
  if (arguments.size() <= depth || arguments[depth].starts_with("-")) return arguments;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == arguments[depth]) return expanded(arguments, *command, depth + 1);
    names.push_back(command->get_name());
  }
  const auto near = pipeline::nearest(arguments[depth], names);
  fail(Errc::usage, fmt::format("'{}' is no command{}; there are {}", arguments[depth],
                                near ? fmt::format(", the nearest is {}", *near) : "", fmt::join(names, ", ")));
}

/// A sentence about what no command knows what to do with.
std::string unknown_arguments(const CLI::App& app) {
  auto words = app.remaining(true);
  const bool then = !app.get_subcommands().empty() && !app.get_subcommands().front()->get_subcommands().empty();
  return fmt::format(
      "the command does not know {}{}; --help lists what it takes", fmt::join(words, " "),
      then ? " after --then correct-topography; STACK and options of invert-network stand before it" : "");
}

int run(int argc, char** argv) {
  const double exec_s = wall_s() - pipeline::seconds_since_exec();
  CLI::App app("InSAR time series of any size: network inversion and DEM-error correction, out of core.", "outcrop");
  app.set_version_flag("--version", std::string("outcrop ") + tools::version);
  app.require_subcommand(1);
  app.footer("outcrop COMMAND --help shows the options and examples of a command.");
  tools::Action action;
  tools::add_invert_network(app, action);
  tools::add_correct_topography(app, action);
  tools::add_simulate(app, action);
  tools::add_compare(app, action);
  tools::add_info(app, action);
  tools::add_measure(app, action);
  tools::add_model(app, action);
  std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    arguments = expanded(arguments, app);
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::ExtrasError&) {
    fail(Errc::usage, unknown_arguments(app));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? tools::exit_code::done : tools::exit_code::refused;
  }
  std::vector<std::string> command_line{"outcrop"};
  command_line.insert(command_line.end(), argv + 1, argv + argc);
  return action({command_line, exec_s, stop_signal});
}

}  // namespace

int main(int argc, char** argv) {
  handle_signals();
  try {
    return run(argc, argv);
  } catch (...) {
    const Error error = current_error();
    fmt::print(stderr, "outcrop: {}\n", error.what());
    return error.code() == Errc::cancelled ? tools::exit_code::stopped : tools::exit_code::refused;
  }
}
