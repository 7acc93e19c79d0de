#include "tools/outcrop/cmd_invert_network.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>

#include "io/flat_sink.hpp"
#include "io/h5_source.hpp"
#include "tools/outcrop/exit_code.hpp"
#include "tools/outcrop/invert_network/inputs.hpp"
#include "tools/outcrop/invert_network/products.hpp"
#include "tools/outcrop/invert_network/reference_values.hpp"
#include "tools/outcrop/invert_network/settings.hpp"
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
The first line is MintPy's `ifgram_inversion.py inputs/ifgramStack.h5 -t smallbaselineApp.cfg --update`.
Exit codes: 0 done, 1 failed after the start, 2 refused before any output, 130 stopped by a signal.)";

std::shared_ptr<model::InvertNetwork> parameters_of(const InvertSettings& s, const InvertInputs& in) {
  auto p = std::make_shared<model::InvertNetwork>();
  p->network = in.network;
  p->reference.assign(in.layers.size(), 0.0F);
  p->weight = s.weight;
  p->num_looks = in.num_looks;
  p->mask = s.mask_dataset.empty()        ? model::MaskRule::none
            : s.mask_dataset == "coherence" ? model::MaskRule::at_least
                                            : model::MaskRule::nonzero;
  p->mask_is_coherence = s.mask_dataset == "coherence";
  p->mask_threshold = static_cast<float>(s.mask_threshold);
  p->min_redundancy = s.min_redundancy;
  p->norm = s.min_norm_velocity ? model::MinimumNorm::velocity : model::MinimumNorm::phase;
  p->metres_per_radian = -in.wavelength_m / (4 * M_PI);
  p->has_reference_pixel = in.reference.has_value();
  if (in.reference) {
    p->reference_row = in.reference->row;
    p->reference_col = in.reference->col;
  }
  p->has_water_mask = in.water_mask.has_value();
  p->has_quality_mask = in.quality.has_value();
  return p;
}

/// One request for each plane the step declares.
std::vector<io::PlaneRequest> requests_of(const model::Step& step, const InvertSettings& s, const InvertInputs& in) {
  std::vector<io::PlaneRequest> requests;
  for (const auto& plane : step.inputs) {
    if (plane.name == "phase") {
      requests.push_back(in.plane(plane.name, s.dataset));
    } else if (plane.name == "coherence") {
      requests.push_back(in.plane(plane.name, "coherence"));
    } else if (plane.name == "mask") {
      requests.push_back(in.plane(plane.name, s.mask_dataset));
    } else {
      const auto& map = plane.name == "water_mask" ? *in.water_mask : *in.quality;
      requests.push_back({plane.name, map.path, map.dataset, {}});
    }
  }
  return requests;
}

int run(const CommonOptions& options, const InvertFlags& flags, const Invocation& invocation) {
  Log log(verbosity_of(options));
  refuse_not_built(options);
  log.info(first_log_line(options, invocation.command_line));
  const pipeline::Config config = prepare(options, log);
  std::optional<io::mintpy::Template> given;
  if (options.template_path) given = io::mintpy::Template::read(*options.template_path);
  const InvertSettings settings = resolve_settings(flags, given);
  const InvertInputs inputs = read_inputs(flags.stack, settings, log);
  const ProductNames names = product_names(flags, settings, inputs, options.out_dir);
  if (options.update) {
    const auto reason = reason_to_run(names, settings, inputs);
    log.info(reason ? "update: run, because " + *reason : "update: skip, the products are up to date");
    if (!reason) return exit_code::done;
  }
  const io::SourceOptions source_options{options.allow_external};
  const auto parameters = parameters_of(settings, inputs);
  StepSetup setup;
  setup.step = model::make_invert_network(parameters);
  setup.source = io::make_h5_source(requests_of(setup.step, settings, inputs), source_options, log);
  setup.sink = io::make_flat_sink(inputs.stack.rows, inputs.stack.cols, products(names, settings, inputs), log);
  setup.products = {names.series, names.quality, names.count};
  setup.notes = inputs.notes;
  setup.template_memory_gb = template_memory_gb(given);
  setup.granted_pixels = inputs.reference ? 1 : 0;
  setup.complete = [&](StepSetup& s) {
    auto complete = std::make_shared<model::InvertNetwork>(*parameters);
    std::int64_t left_out = 0;
    complete->reference = read_reference(inputs, settings, source_options, left_out, log);
    if (left_out > 0) s.deviations["pairs without data at the reference pixel"] = left_out;
    return model::make_invert_network(complete);
  };
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
  c.add_option("-w,--weight-func", f.weight,
               "Weights from coherence: var (inverse phase variance, default), fim (Fisher information), coh, no")
      ->type_name("NAME");
  c.add_flag("--min-norm-phase", f.min_norm_phase, "Across gaps of the network the smallest phase, not velocity");
  c.add_option("--mask-dset,--mask-dataset,--md", f.mask_dataset, "Mask samples by coherence or connectComponent; no")
      ->type_name("NAME");
  c.add_option("--mask-thres,--mask-threshold,--mt", f.mask_threshold, "Smallest coherence kept (default: 0.4)")
      ->type_name("X");
  c.add_option("--min-redun,--min-redundancy,--mr", f.min_redundancy,
               "Leave out pixels where a date has fewer observations (default: 1)")
      ->type_name("X");
}

}  // namespace

void add_invert_network(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("invert-network", "Invert a stack of interferograms to a displacement time series");
  const auto options = std::make_shared<CommonOptions>();
  const auto flags = std::make_shared<InvertFlags>();
  add_science_options(*command, *flags);
  add_common_options(*command, *options);
  add_not_built(*command, *options, "--calc-cov", 0, "Covariance of the series from decorrelation");
  add_not_built(*command, *options, "--status-file", 1, "Map of pixel status and number of islands");
  add_not_built(*command, *options, "--then", 1, "correct-topography in the same pass");
  command->footer(examples);
  command->callback([=, &chosen] {
    chosen = [=](const Invocation& invocation) { return run(*options, *flags, invocation); };
  });
}

}  // namespace outcrop::tools
