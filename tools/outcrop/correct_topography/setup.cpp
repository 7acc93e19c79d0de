#include "tools/outcrop/correct_topography/setup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "model/topography_fit.hpp"

namespace outcrop::tools {
namespace {

/// One request for each plane the step declares.
std::vector<io::PlaneRequest> requests_of(const model::Step& step, const TopographyInputs& in) {
  std::vector<std::int64_t> all(in.series.dates.size());
  std::iota(all.begin(), all.end(), std::int64_t{0});
  std::vector<io::PlaneRequest> requests;
  for (const auto& plane : step.inputs) {
    if (plane.name == "timeseries") requests.push_back({plane.name, in.series.path, "timeseries", all});
    if (plane.name == "bperp") requests.push_back({plane.name, in.geometry->path, "bperp", in.bperp_layers});
    if (plane.name == "incidence") requests.push_back({plane.name, in.geometry->path, "incidenceAngle", {}});
    if (plane.name == "slant_range") requests.push_back({plane.name, in.geometry->path, "slantRangeDistance", {}});
    if (plane.name == "quality_mask") requests.push_back({plane.name, in.coherence->path, in.coherence->dataset, {}});
  }
  return requests;
}

void warn_of_columns(const model::CorrectTopography& p, Log& log) {
  const model::TopographyFit fit = model::plan_topography_fit(p);
  if (!fit.zero_columns.empty()) {
    log.warn(fmt::format("columns of the model that are 0 at all dates of the fit, and of no effect: {}",
                         fmt::join(fit.zero_columns, ", ")));
  }
  if (!fit.undetermined.empty()) {
    log.warn(fmt::format("columns of the model that {} dates cannot tell apart: {}; the answer of least norm is given",
                         fit.num_dates - std::count(p.excluded.begin(), p.excluded.end(), true),
                         fmt::join(fit.undetermined, ", ")));
  }
  if (p.bperp_m.empty()) return;
  const model::SharedBaselines shared = model::plan_shared_baselines(fit, p);
  if (shared.zero) {
    log.warn(
        "the perpendicular baselines do not differ from date to date: the DEM error is 0 everywhere, and the series "
        "stays "
        "as it is");
  } else if (shared.dependent) {
    log.warn(
        "the perpendicular baselines are a combination of the other columns of the model: the answer of least norm is "
        "given for the DEM error");
  }
}

}  // namespace

model::CorrectTopography parameters_of(const TopographySettings& s, const TopographyInputs& in) {
  model::CorrectTopography p;
  p.dates = in.series.dates;
  p.reference_date = static_cast<int>(in.reference_date);
  for (const auto& date : p.dates) {
    p.excluded.push_back(std::find(in.excluded.begin(), in.excluded.end(), date) != in.excluded.end());
  }
  p.columns = model::design_columns(p.dates, in.time_of_day_s, s.terms);
  p.phase_velocity = s.phase_velocity;
  if (in.bperp_layers.empty()) p.bperp_m = in.series.bperp_m;
  p.incidence_deg = in.incidence_deg;
  p.slant_range = in.slant_range;
  p.accept_geometry = s.accept_geometry;
  p.has_quality_mask = in.coherence.has_value();
  p.empty_by_mean = s.mintpy_compat;
  return p;
}

void refuse_integers(const io::SourceInfo& source, std::size_t first_plane) {
  for (std::size_t i = first_plane; i < source.planes.size(); ++i) {
    if (!source.planes[i].integers) continue;
    fail(Errc::unsupported,
         fmt::format("dataset {} in {} holds integers; it should hold floating-point numbers; make it again",
                     source.planes[i].dataset, source.planes[i].path));
  }
}

StepSetup prepare_setup(const TopographySettings& settings, const TopographyInputs& inputs,
                        const TopographyNames& names, Log& log) {
  auto parameters = std::make_shared<model::CorrectTopography>(parameters_of(settings, inputs));
  parameters->wants_residual = !names.residual.empty();
  warn_of_columns(*parameters, log);
  StepSetup setup;
  setup.step = model::make_correct_topography(parameters);
  setup.requests = requests_of(setup.step, inputs);
  setup.files = products(names, settings, inputs);
  setup.products = names.all();
  setup.notes = inputs.notes;
  setup.deviations = inputs.deviations;
  return setup;
}

StepSetup make_setup(const TopographySettings& settings, const TopographyInputs& inputs, const TopographyNames& names,
                     const io::SourceOptions& options, Log& log) {
  StepSetup setup = prepare_setup(settings, inputs, names, log);
  open_files(setup, inputs.series.rows, inputs.series.cols, options, log);
  refuse_integers(setup.source->describe(), 0);
  return setup;
}

}  // namespace outcrop::tools
