// The flags of `outcrop compare`.
#include "tools/outcrop/cmd_compare.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "core/error.hpp"
#include "core/log.hpp"
#include "tools/outcrop/compare/compare.hpp"

namespace outcrop::tools {
namespace {

constexpr const char* examples = R"(Examples:
  outcrop compare mintpy/timeseries.h5 timeseries.h5
  outcrop compare --tol 1e-6 --mask-at 0.7 reference/temporalCoherence.h5 temporalCoherence.h5
Exit code: 0 within the tolerance, 1 over it, 2 when the files cannot be compared.)";

struct CompareFlags {
  CompareOptions options;
  bool quiet = false;
};

int run(const CompareFlags& flags) {
  Log log(flags.quiet ? Verbosity::quiet : Verbosity::normal);
  const int code = run_compare(flags.options, std::cout, log);
  if (!std::cout.flush()) fail(Errc::io, "writing the comparison to standard output failed");
  return code;
}

}  // namespace

void add_compare(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("compare", "Compare two files dataset by dataset");
  command->footer(examples);
  const auto flags = std::make_shared<CompareFlags>();
  auto& options = flags->options;
  command->add_option("REFERENCE", options.reference, "HDF5 file that is right")->required();
  command->add_option("OTHER", options.other, "HDF5 file to judge")->required();
  command->add_option("--tol", options.tolerance, "Largest rms / max|reference| of a dataset")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--mask-at", options.mask_at, "Count pixels that change side of this temporal coherence");
  command->add_flag("-q,--quiet", flags->quiet, "Only warnings and errors on the log");
  command->callback([flags, &chosen] { chosen = [flags](const Invocation&) { return run(*flags); }; });
}

}  // namespace outcrop::tools
