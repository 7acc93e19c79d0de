#include "tools/outcrop/cmd_invert_network.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "tools/outcrop/chain/corrections_between.hpp"
#include "tools/outcrop/chain/maps.hpp"
#include "tools/outcrop/chain/setup.hpp"
#include "tools/outcrop/cmd_correct_topography.hpp"
#include "tools/outcrop/correct_topography/update.hpp"
#include "tools/outcrop/device_options.hpp"
#include "tools/outcrop/exit_code.hpp"
#include "tools/outcrop/invert_network/flag_spelling.hpp"
#include "tools/outcrop/invert_network/inputs.hpp"
#include "tools/outcrop/invert_network/maps.hpp"
#include "tools/outcrop/invert_network/products.hpp"
#include "tools/outcrop/invert_network/settings.hpp"
#include "tools/outcrop/invert_network/setup.hpp"
#include "tools/outcrop/invert_network/update.hpp"
#include "tools/outcrop/opening.hpp"
#include "tools/outcrop/run_step.hpp"

namespace outcrop::tools {
namespace {

constexpr const char* examples = R"(Examples:
  outcrop invert-network inputs/ifgramStack.h5 -t smallbaselineApp.cfg --update
  outcrop invert-network inputs/ifgramStack.h5 -w no
  outcrop invert-network inputs/ifgramStack.h5 -w fim --min-norm-phase --mask-dset coherence --mask-thres 0.4
  outcrop invert-network inputs/ifgramStack.h5 --memory 2G --plan
  outcrop invert-network inputs/ifgramStack.h5 -o ts.h5 tcoh.h5 count.h5 --report run.json --quicklook maps
  outcrop invert-network inputs/ifgramStack.h5 -i rangeOffset -w var --mask-dset offsetSNR --mask-thres 8
  outcrop invert-network inputs/ifgramStack.h5 --then correct-topography -g inputs/geometryRadar.h5 --poly-order 1
The last line gives the products of both steps from one reading of the stack, the same as
`outcrop invert-network inputs/ifgramStack.h5` and `outcrop correct-topography timeseries.h5 -g ... --poly-order 1`.
The first line is MintPy's `ifgram_inversion.py inputs/ifgramStack.h5 -t smallbaselineApp.cfg --update`.
Exit codes: 0 done, 1 failed after the start, 2 refused before any output, 130 stopped by a signal.)";

constexpr const char* then_examples = R"(Examples:
  outcrop invert-network inputs/ifgramStack.h5 --then correct-topography -g inputs/geometryRadar.h5
  outcrop invert-network inputs/ifgramStack.h5 -t my.cfg --update --then correct-topography --then-anyway -s 20170910
Options of invert-network stand before --then. Those of the run as a whole (--template, --memory, --out-dir, --plan ...) stand
on either side and are for both steps.)";

/// A second step in the same pass.
struct ThenOptions {
  bool wanted = false;
  bool anyway = false;  ///< although the template turns on a correction between the steps
  TopographyFlags flags;
};

std::optional<SecondStep> second_step(const ThenOptions& then, const FirstStep& first, const CommonOptions& options,
                                      const std::optional<io::mintpy::Template>& given, Log& log) {
  if (!then.wanted) return std::nullopt;
  TopographyFlags flags = then.flags;
  flags.mintpy_compat = options.mintpy_compat;
  flags.accept_geometry = options.accept_geometry;
  return read_second_step(first, flags, given, options.out_dir, log);
}

/// nullopt: the products of all steps are up to date.
std::optional<std::string> any_reason_to_run(const FirstStep& first, const std::optional<SecondStep>& second) {
  auto reason = reason_to_run(first.names, first.settings, first.inputs);
  if (!reason && second) reason = reason_to_run(second->names, second->settings, second->inputs);
  return reason;
}

void check_correction_between(const ThenOptions& then, const std::optional<io::mintpy::Template>& given, Log& log) {
  if (!then.wanted) return;
  if (!then.anyway) refuse_correction_between(given);
  if (const auto left_out = correction_between(given)) {
    log.warn(fmt::format("--then-anyway: the series is corrected without what the template says, {}", *left_out));
  }
}

int run(const CommonOptions& options, const InvertFlags& flags, const ThenOptions& then, const Invocation& invocation) {
  Opening opening(options, invocation);
  Log& log = opening.log;
  const auto& given = opening.given;
  check_correction_between(then, given, log);
  InvertFlags all_flags = flags;
  all_flags.mintpy_compat = options.mintpy_compat;
  const InvertSettings settings = resolve_settings(all_flags, given);
  InvertInputs inputs = read_inputs(flags.stack, settings, log);
  if (flags_win(all_flags, given, invocation.command_line)) inputs.deviations[deviation::flags_win] = 1;
  const ProductNames names = product_names(flags, settings, inputs, options.out_dir);
  const FirstStep first{settings, inputs, names};
  const auto second = second_step(then, first, options, given, log);
  if (options.update && skips_update(options, any_reason_to_run(first, second), log)) return exit_code::done;
  const gpu::DeviceStart start = begin_device(opening.config, invocation.stop);
  const io::SourceOptions source{options.allow_external};
  StepSetup setup =
      second ? make_chain_setup(first, *second, source, log) : make_setup(settings, inputs, names, source, log);
  setup.template_memory_gb = template_memory_gb(given);
  const model::Chain* const chain = model::chain_of(setup.step);
  add_quicklook(options, chain != nullptr ? maps_of(first, *second, *chain) : maps_of(settings, inputs), setup);
  return run_step(options, opening.config, std::move(setup), start, invocation, log);
}

void add_science_options(CLI::App& c, InvertFlags& f) {
  c.add_option("stack", f.stack, "MintPy stack of interferograms, for example inputs/ifgramStack.h5")
      ->required()
      ->type_name("STACK");
  c.add_option("-i,-d,--dset", f.dataset, "Observation (default: unwrapPhase, with the suffix the template calls for)")
      ->type_name("NAME");
  c.add_option("-m,--water-mask", f.water_mask, "Leave out pixels that are 0 in this mask")->type_name("FILE");
  c.add_option("-o,--output", f.outputs, "Names for time series, quality and count")->expected(3)->type_name("FILE");
  c.add_flag("--skip-reference,--skip-ref", f.skip_reference, "The phases are referenced already");
  c.add_option(
       "-w,--weight-func", f.weight,
       "Weights from coherence: var (inverse phase variance, default), fim (Fisher information), coh, no; of offsets "
       "var (inverse squared standard deviation) or no")
      ->type_name("NAME");
  c.add_flag("--min-norm-phase", f.min_norm_phase, "Across gaps of the network the smallest phase, not velocity");
  c.add_option("--mask-dset,--mask-dataset,--md", f.mask_dataset,
               "Mask samples by coherence, connectComponent, offsetSNR, azimuthOffsetStd or rangeOffsetStd; no")
      ->type_name("NAME");
  c.add_option("--mask-thres,--mask-threshold,--mt", f.mask_threshold,
               "Smallest coherence or offsetSNR kept, largest OffsetStd (default: 0.4)")
      ->type_name("X");
  c.add_option("--min-redun,--min-redundancy,--mr", f.min_redundancy,
               "Leave out pixels where a date has fewer observations (default: 1)")
      ->type_name("X");
  c.add_flag("--calc-cov", f.calc_covariance,
             "Also write the covariance of the series, DATESxDATES for each pixel, relative to mintpy.reference.date");
  c.add_option("--status-file", f.status_file,
               "Also write this map of what became of each pixel and of the number of islands of its network")
      ->type_name("FILE");
}

/// --then correct-topography: a command within the command, so that what follows are its own options. Those of the run
/// as a whole (memory, template, --plan ...) may stand there too.
CLI::App* add_then(CLI::App& command, CommonOptions& options, ThenOptions& then) {
  command.add_flag("--then", then.wanted,
                   "--then correct-topography [its options]: both steps in one pass; what follows are options of "
                   "correct-topography (--then correct-topography --help shows them)");
  const char* const anyway = "--then-anyway";
  const char* const help = "With --then: although the template turns on a correction that belongs between the steps";
  command.add_flag(anyway, then.anyway, help);
  const auto formatter = std::make_shared<CLI::Formatter>();
  formatter->label("SUBCOMMAND", "--then correct-topography [ITS OPTIONS]");
  command.formatter(formatter);
  CLI::App* const step = command.add_subcommand("correct-topography", "In the same pass, from the series in memory");
  step->group("");
  add_topography_options(*step, then.flags);
  add_common_options(*step, options);
  step->add_flag(anyway, then.anyway, help);
  step->footer(then_examples);
  return step;
}

/// Throws Errc::usage when an option of the run as a whole is given to both steps.
void refuse_twice(const CLI::App& command, const CLI::App& step) {
  CLI::App shared;
  CommonOptions ignored;
  add_common_options(shared, ignored);
  for (const CLI::Option* option : shared.get_options()) {
    const std::string name = option->get_name();
    const CLI::Option* const before = command.get_option_no_throw(name);
    const CLI::Option* const after = step.get_option_no_throw(name);
    if (before == nullptr || after == nullptr || before->count() == 0 || after->count() == 0) continue;
    fail(Errc::usage, fmt::format("{} is given before and after --then; it is for both steps, give it once", name));
  }
}

}  // namespace

void add_invert_network(CLI::App& app, Action& chosen) {
  auto* command =
      app.add_subcommand("invert-network", "Invert a stack of interferograms to a displacement time series");
  const auto options = std::make_shared<CommonOptions>();
  const auto flags = std::make_shared<InvertFlags>();
  add_science_options(*command, *flags);
  add_common_options(*command, *options);
  const auto then = std::make_shared<ThenOptions>();
  const CLI::App* const step = add_then(*command, *options, *then);
  command->footer(examples);
  command->callback([=, &chosen] {
    if (step->parsed() != then->wanted) {
      fail(Errc::usage,
           "the stack is not named, or --then has no step: write invert-network STACK [options] --then "
           "correct-topography [its options]");
    }
    refuse_twice(*command, *step);
    chosen = [=](const Invocation& invocation) { return run(*options, *flags, *then, invocation); };
  });
}

}  // namespace outcrop::tools
