// The flags of `outcrop info`.
#include "tools/outcrop/cmd_info.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/log.hpp"
#include "tools/outcrop/exit_code.hpp"
#include "tools/outcrop/info/info.hpp"

namespace outcrop::tools {
namespace {

constexpr const char* examples = R"(Examples:
  outcrop info inputs/ifgramStack.h5
  outcrop info inputs/ifgramStack.h5 -t smallbaselineApp.cfg
  outcrop info --json timeseries.h5)";

struct InfoFlags {
  std::string file;
  std::optional<std::string> template_path;
  bool json = false;
};

int run(const InfoFlags& flags) {
  Log log(Verbosity::quiet);
  std::optional<io::mintpy::Template> given;
  if (flags.template_path) given = io::mintpy::Template::read(*flags.template_path);
  const InfoReport report = make_info(flags.file, given, log);
  flags.json ? print_json(report, std::cout) : print_text(report, std::cout);
  if (!std::cout.flush()) fail(Errc::io, "writing the information to standard output failed");
  return exit_code::done;
}

}  // namespace

void add_info(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("info", "Show what a file holds and what a step would use of it");
  command->footer(examples);
  const auto flags = std::make_shared<InfoFlags>();
  command->add_option("FILE", flags->file, "HDF5 file: a stack, a time series, a geometry ...")->required();
  command->add_option("-t,--template", flags->template_path, "MintPy template that the step would be given");
  command->add_flag("--json", flags->json, "As JSON");
  command->callback([flags, &chosen] { chosen = [flags](const Invocation&) { return run(*flags); }; });
}

}  // namespace outcrop::tools
