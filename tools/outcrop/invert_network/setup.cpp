#include "tools/outcrop/invert_network/setup.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "pipeline/machine.hpp"
#include "tools/outcrop/invert_network/offset_medians.hpp"
#include "tools/outcrop/invert_network/reference_values.hpp"

namespace outcrop::tools {
namespace {

/// Standard deviations up to this many thresholds keep an offset that stands out.
constexpr double possible_over_certain = 5;

model::MaskRule mask_rule(const InvertSettings& s) {
  if (s.mask_dataset == "connectComponent") return model::MaskRule::nonzero;
  return s.mask_dataset.ends_with("OffsetStd") ? model::MaskRule::deviation : model::MaskRule::at_least;
}

model::MaskSource mask_source(const InvertSettings& s) {
  if (s.mask_dataset == "coherence") return model::MaskSource::coherence;
  const bool same = s.observation.is_offset() && s.mask_dataset == s.observation.deviation_dataset();
  return same ? model::MaskSource::deviation : model::MaskSource::own;
}

void set_mask(model::InvertNetwork& p, const InvertSettings& s) {
  p.mask = mask_rule(s);
  p.mask_source = mask_source(s);
  p.mask_threshold = static_cast<float>(s.mask_threshold);
  p.outlier_threshold = static_cast<float>(possible_over_certain * s.mask_threshold);
  p.median.assign(p.network.pairs.size(), 0.0F);
}

model::Covariance covariance_of(const InvertSettings& s, const InvertInputs& in) {
  // MintPy multiplies the covariance of offsets by the factor of the series, once.
  const bool once = s.mintpy_compat && s.observation.is_offset();
  return {in.covariance_date, once ? in.metres_per_unit : in.metres_per_unit * in.metres_per_unit};
}

/// The dataset of the stack that a plane [M] of the step comes from.
std::string dataset_of(const std::string& plane, const InvertSettings& s) {
  if (plane == "observation") return s.observation.dataset;
  if (plane == "coherence") return "coherence";
  return plane == "std" ? s.observation.deviation_dataset() : s.mask_dataset;
}

/// One request for each plane the step declares.
std::vector<io::PlaneRequest> requests_of(const model::Step& step, const InvertSettings& s, const InvertInputs& in) {
  std::vector<io::PlaneRequest> requests;
  for (const auto& plane : step.inputs) {
    if (plane.name == "water_mask" || plane.name == "quality_mask") {
      const auto& map = plane.name == "water_mask" ? *in.water_mask : *in.quality;
      requests.push_back({plane.name, map.path, map.dataset, {}});
    } else {
      requests.push_back(in.plane(plane.name, dataset_of(plane.name, s)));
    }
  }
  return requests;
}

/// What the search for medians reads, for the plan.
std::string median_note(const InvertSettings& s, const io::SourceInfo& source) {
  constexpr double passes = 2;
  const std::string deviation = s.mask_dataset;
  double bytes = 0;
  for (const auto& plane : source.planes) {
    const bool used = plane.dataset == s.observation.dataset || plane.dataset == deviation;
    bytes += used ? passes * static_cast<double>(plane.needed_bytes) : 0;
  }
  const double seconds = bytes / pipeline::reference_machine().read_bytes_per_s;
  return fmt::format(
      "the mask {} needs the median of each pair over the whole image: {} and {} are read twice before the run, {} in "
      "about {}",
      deviation, s.observation.dataset, deviation, format_bytes(bytes), format_time(seconds));
}

std::vector<float> read_medians(const model::InvertNetwork& p, const InvertSettings& s, const InvertInputs& in,
                                StepSetup& setup, const io::SourceOptions& options, Log& log) {
  const MedianRequest request{in.plane("observation", s.observation.dataset), in.plane("std", s.mask_dataset),
                              p.reference, p.mask_threshold};
  return offset_medians(request, setup.spare_bytes, options, setup.before, log);
}

/// The step with the values that are read before the first tile.
model::Step completed(StepSetup& setup, const InvertSettings& s, const InvertInputs& in,
                      const io::SourceOptions& options, Log& log) {
  auto p = std::make_shared<model::InvertNetwork>(parameters_of(s, in));
  std::int64_t left_out = 0;
  p->reference = read_reference(in, s, options, left_out, log);
  if (left_out > 0 && !s.mintpy_compat) setup.deviations[deviation::no_reference_data] = left_out;
  if (p->mask == model::MaskRule::deviation) {
    p->median = read_medians(*p, s, in, setup, options, log);
    setup.deviations[deviation::whole_image_median] = p->num_pairs();
  }
  return model::make_invert_network(p);
}

}  // namespace

model::InvertNetwork parameters_of(const InvertSettings& s, const InvertInputs& in) {
  model::InvertNetwork p;
  p.network = in.network;
  p.kind = s.observation.kind();
  p.zero_is_data = s.observation.zero_is_data;
  p.reference.assign(in.layers.size(), 0.0F);
  p.weight = s.weight;
  p.num_looks = in.num_looks;
  if (in.masks) set_mask(p, s);
  p.min_redundancy = s.min_redundancy;
  p.norm = s.min_norm_velocity ? model::MinimumNorm::velocity : model::MinimumNorm::phase;
  p.metres_per_unit = in.metres_per_unit;
  p.removed_date = in.removed_date;
  if (in.reference) {
    p.has_reference_pixel = true;
    p.reference_row = in.reference->row;
    p.reference_col = in.reference->col;
    if (s.mintpy_compat) p.reference_count = in.num_kept;
  }
  p.has_water_mask = in.water_mask.has_value();
  p.has_quality_mask = in.quality.has_value();
  p.wants_islands = !s.status_file.empty();
  if (s.calc_covariance) p.covariance = covariance_of(s, in);
  return p;
}

StepSetup prepare_setup(const InvertSettings& settings, const InvertInputs& inputs, const ProductNames& names,
                        const io::SourceOptions& options, Log& log) {
  StepSetup setup;
  setup.step = model::make_invert_network(std::make_shared<model::InvertNetwork>(parameters_of(settings, inputs)));
  setup.requests = requests_of(setup.step, settings, inputs);
  setup.files = products(names, settings, inputs);
  setup.products = names.all();
  setup.notes = inputs.notes;
  setup.deviations = inputs.deviations;
  setup.granted_pixels = inputs.reference ? 1 : 0;
  setup.complete = [&settings, &inputs, options, &log](StepSetup& s) {
    return completed(s, settings, inputs, options, log);
  };
  return setup;
}

void add_source_notes(StepSetup& setup, const InvertSettings& settings, const InvertInputs& inputs) {
  if (!inputs.masks || mask_rule(settings) != model::MaskRule::deviation) return;
  setup.notes.push_back(median_note(settings, setup.source->describe()));
}

StepSetup make_setup(const InvertSettings& settings, const InvertInputs& inputs, const ProductNames& names,
                     const io::SourceOptions& options, Log& log) {
  StepSetup setup = prepare_setup(settings, inputs, names, options, log);
  open_files(setup, inputs.stack.rows, inputs.stack.cols, options, log);
  add_source_notes(setup, settings, inputs);
  return setup;
}

}  // namespace outcrop::tools
