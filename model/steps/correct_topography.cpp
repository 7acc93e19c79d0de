// The step correct-topography, declared.
#include "model/steps/correct_topography.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"

namespace outcrop::model {
namespace {

std::vector<InputPlane> input_planes(const CorrectTopography& p) {
  std::vector<InputPlane> inputs{{"timeseries", p.num_dates(), "m", {}}};
  const auto checked = [&](const ValueCheck& check) {
    return p.accept_geometry ? std::nullopt : std::optional<ValueCheck>(check);
  };
  if (p.bperp_m.empty()) inputs.push_back({"bperp", p.num_dates(), "m", {}});
  if (!p.incidence_deg) inputs.push_back({"incidence", 1, "deg", checked(incidence_check())});
  if (!p.slant_range) inputs.push_back({"slant_range", 1, "m", checked(slant_range_check())});
  if (p.has_quality_mask) inputs.push_back({"quality_mask", 1, "1", {}});
  return inputs;
}

std::vector<OutputPlane> output_planes(const CorrectTopography& p) {
  std::vector<OutputPlane> outputs{{"corrected", p.num_dates(), "m", DType::f32}};
  if (p.wants_residual) outputs.push_back({"residual", p.num_dates(), "m", DType::f32});
  outputs.push_back({"dem_error", 1, "m", DType::f32});
  outputs.push_back({"status", 1, "1", DType::u8});
  return outputs;
}

/// Multiply-adds count twice. Baselines of their own make a pixel project its own column.
double flops_per_pixel(const CorrectTopography& p) {
  const double n = static_cast<double>(p.columns.size());
  const double per_date = p.bperp_m.empty() ? 8 * n + 12 : 4 * n + 8;
  return per_date * static_cast<double>(p.num_dates());
}

/// Half of G'G and a third of a cube for the factor, both multiply and add, and the products.
double batched_flops_per_pixel(const CorrectTopography& p) {
  const double unknowns = 1 + static_cast<double>(p.columns.size());
  return static_cast<double>(p.num_dates()) * (unknowns * (unknowns + 4) + 8) +
         unknowns * unknowns * (unknowns / 3 + 2);
}

void check(const CorrectTopography& p) {
  OUTCROP_EXPECT(!p.dates.empty(), "correct-topography needs dates");
  OUTCROP_EXPECT(p.excluded.size() == p.dates.size(),
                 "correct-topography needs to know of each date whether it is used");
  OUTCROP_EXPECT(p.bperp_m.empty() || p.bperp_m.size() == p.dates.size(),
                 "correct-topography needs a baseline for each date");
  for (const DesignColumn& column : p.columns) {
    OUTCROP_EXPECT(column.value.size() == p.dates.size(), "a design column has a value for each date");
  }
}

std::vector<Finding> findings_of(const CorrectTopography& p) {
  std::vector<Finding> findings(num_correct_topography_findings);
  // MintPy solves in float32 where the geometry is of each pixel, and cannot tell dependent columns there.
  findings[dependent_columns] = {"dependent columns", !p.incidence_deg, {}};
  findings[no_baseline] = {
      "no baselines", false,
      "pixels have perpendicular baselines that do not differ from date to date: their DEM error is 0"};
  if (!p.bperp_m.empty()) findings[no_baseline].warning.clear();  // known, and said, before the run
  findings[infinite_value] = {
      "infinity in the series, or no number in the baselines", true,
      "pixels have an infinite sample or a baseline that is no number, and are taken as no data"};
  findings[zero_mean] = {"a series whose mean is 0", !p.empty_by_mean,
                         p.empty_by_mean ? "pixels have a series whose mean is 0, and are left out as in MintPy" : ""};
  return findings;
}

}  // namespace

ValueCheck incidence_check() {
  ValueCheck check;
  check.lowest = 5;
  check.highest = 85;
  check.zero_is_no_data = true;
  check.advice = "incidence angles are degrees from the vertical; correct the file, or go on with --accept-geometry";
  return check;
}

ValueCheck slant_range_check() {
  ValueCheck check;
  check.lowest = 1e3;
  check.highest = 5e6;
  check.zero_is_no_data = true;
  check.advice =
      "slant ranges are metres from the radar to the ground; correct the file, or go on with --accept-geometry";
  return check;
}

Step make_correct_topography(std::shared_ptr<const CorrectTopography> parameters) {
  const CorrectTopography& p = *parameters;
  check(p);
  Step step;
  step.name = "correct-topography";
  step.inputs = input_planes(p);
  step.outputs = output_planes(p);
  step.findings = findings_of(p);
  step.flops_per_pixel = flops_per_pixel(p);
  step.batched_flops_per_pixel = batched_flops_per_pixel(p);
  step.parameters = std::move(parameters);
  return step;
}

}  // namespace outcrop::model
