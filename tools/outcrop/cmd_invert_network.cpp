#include "tools/outcrop/cmd_invert_network.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "tools/outcrop/exit_code.hpp"
#include "tools/outcrop/invert_network/flag_spelling.hpp"
#include "tools/outcrop/invert_network/inputs.hpp"
#include "tools/outcrop/invert_network/products.hpp"
#include "tools/outcrop/invert_network/settings.hpp"
#include "tools/outcrop/invert_network/setup.hpp"
#include "tools/outcrop/invert_network/update.hpp"
#include "tools/outcrop/run_step.hpp"

namespace outcrop::tools {
namespace {

constexpr const char* examples = R"(Examples:
  outcrop invert-network inputs/ifgramStack.h5 -t smallbaselineApp.cfg --update
  outcrop invert-network inputs/ifgramStack.h5 -w no
  outcrop invert-network inputs/ifgramStack.h5 -w fim --min-norm-phase --mask-dset coherence --mask-thres 0.4
  outcrop invert-network inputs/ifgramStack.h5 --memory 2G --plan
  outcrop invert-network inputs/ifgramStack.h5 -o ts.h5 tcoh.h5 count.h5 --report run.json
  outcrop invert-network inputs/ifgramStack.h5 -i rangeOffset -w var --mask-dset offsetSNR --mask-thres 8
The first line is MintPy's `ifgram_inversion.py inputs/ifgramStack.h5 -t smallbaselineApp.cfg --update`.
Exit codes: 0 done, 1 failed after the start, 2 refused before any output, 130 stopped by a signal.)";

int run(const CommonOptions& options, const InvertFlags& flags, const Invocation& invocation) {
  Log log(verbosity_of(options));
  refuse_not_built(options);
  log.info(first_log_line(options, invocation.command_line));
  const pipeline::Config config = prepare(options, log);
  std::optional<io::mintpy::Template> given;
  if (options.template_path) given = io::mintpy::Template::read(*options.template_path);
  InvertFlags all_flags = flags;
  all_flags.mintpy_compat = options.mintpy_compat;
  const InvertSettings settings = resolve_settings(all_flags, given);
  InvertInputs inputs = read_inputs(flags.stack, settings, log);
  if (flags_win(all_flags, given, invocation.command_line)) inputs.deviations[deviation::flags_win] = 1;
  const ProductNames names = product_names(flags, settings, inputs, options.out_dir);
  if (options.update) {
    const auto reason = reason_to_run(names, settings, inputs);
    log.info(reason ? "update: run, because " + *reason : "update: skip, the products are up to date");
    if (!reason) return exit_code::done;
  }
  StepSetup setup = make_setup(settings, inputs, names, {options.allow_external}, log);
  setup.template_memory_gb = template_memory_gb(given);
  return run_step(options, config, std::move(setup), invocation, log);
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

}  // namespace

void add_invert_network(CLI::App& app, Action& chosen) {
  auto* command =
      app.add_subcommand("invert-network", "Invert a stack of interferograms to a displacement time series");
  const auto options = std::make_shared<CommonOptions>();
  const auto flags = std::make_shared<InvertFlags>();
  add_science_options(*command, *flags);
  add_common_options(*command, *options);
  add_not_built(*command, *options, "--then", 1, "correct-topography in the same pass");
  command->footer(examples);
  command->callback(
      [=, &chosen] { chosen = [=](const Invocation& invocation) { return run(*options, *flags, invocation); }; });
}

}  // namespace outcrop::tools
