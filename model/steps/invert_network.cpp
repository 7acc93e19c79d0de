// The step invert-network, declared.
#include "model/steps/invert_network.hpp"

#include <utility>

#include "core/check.hpp"
#include "model/elimination.hpp"

namespace outcrop::model {
namespace {

/// Per pair: referencing, mask, weight, assembly, residual and its sine and cosine.
constexpr double flops_per_pair = 60;

bool needs_weights(const InvertNetwork& p) { return p.weight != WeightFunction::none || p.covariance; }

bool is_masked_by(const InvertNetwork& p, MaskSource source) {
  return p.mask != MaskRule::none && p.mask_source == source;
}

bool needs_coherence(const InvertNetwork& p) {
  return (p.kind == ObservationKind::phase && needs_weights(p)) || is_masked_by(p, MaskSource::coherence);
}

bool needs_deviation(const InvertNetwork& p) {
  return (p.kind == ObservationKind::offset && needs_weights(p)) || is_masked_by(p, MaskSource::deviation);
}

InputPlane coherence_plane(std::int64_t num_pairs) {
  ValueCheck check;
  check.lowest = 0;
  check.highest = 1;
  check.integers_only = true;
  check.advice =
      "coherence lies between 0 and 1; store it as floating-point numbers, or do without it (--weight-func no, no "
      "coherence "
      "mask)";
  return {"coherence", num_pairs, "1", check};
}

std::vector<InputPlane> input_planes(const InvertNetwork& p) {
  const char* const unit = p.kind == ObservationKind::phase ? "rad" : "pixel";
  std::vector<InputPlane> inputs{{"observation", p.num_pairs(), unit, {}}};
  if (needs_coherence(p)) inputs.push_back(coherence_plane(p.num_pairs()));
  if (needs_deviation(p)) inputs.push_back({"std", p.num_pairs(), unit, {}});
  if (is_masked_by(p, MaskSource::own)) inputs.push_back({"mask", p.num_pairs(), "1", {}});
  if (p.has_water_mask) inputs.push_back({"water_mask", 1, "1", {}});
  if (p.has_quality_mask) inputs.push_back({"quality_mask", 1, "1", {}});
  return inputs;
}

std::vector<OutputPlane> output_planes(const InvertNetwork& p) {
  const std::int64_t num_dates = p.network.num_dates();
  std::vector<OutputPlane> outputs{{"timeseries", num_dates, "m", DType::f32},
                                   {"quality", 1, p.kind == ObservationKind::phase ? "1" : "pixel", DType::f32},
                                   {"count", 1, "1", DType::f32},
                                   {"status", 1, "1", DType::u8}};
  if (p.wants_islands) outputs.push_back({"islands", 1, "1", DType::u8});
  if (p.covariance) outputs.push_back({"covariance", num_dates * num_dates, "m^2", DType::f32});
  return outputs;
}

double flops_per_pixel(const InvertNetwork& p) {
  const Elimination plan = plan_elimination(p.network);
  const double solve = 2 * static_cast<double>(plan.num_operations());
  // Twice a forward and a backward pass along the edges for each date, multiply and add.
  const double covariance = p.covariance ? 8.0 * p.network.num_dates() * plan.num_edges() : 0;
  return flops_per_pair * static_cast<double>(p.num_pairs()) + solve + covariance;
}

/// Dense: half of G'G, a third of a cube for the factor, both multiply and add.
double batched_flops_per_pixel(const InvertNetwork& p) {
  const double unknowns = p.network.num_dates() - 1;
  const double rows = static_cast<double>(p.num_pairs());
  return rows * (flops_per_pair + unknowns * (unknowns + 2)) + unknowns * unknowns * (unknowns / 3 + 2);
}

void check(const InvertNetwork& p) {
  OUTCROP_EXPECT(p.num_pairs() > 0, "invert-network needs at least one pair");
  OUTCROP_EXPECT(p.reference.size() == p.network.pairs.size(), "invert-network needs a reference value for each pair");
  const bool by_deviation = p.weight == WeightFunction::deviation;
  OUTCROP_EXPECT(p.weight == WeightFunction::none || by_deviation == (p.kind == ObservationKind::offset),
                 "phases are weighted by coherence, offsets by standard deviation");
}

}  // namespace

Step make_invert_network(std::shared_ptr<const InvertNetwork> parameters) {
  const InvertNetwork& p = *parameters;
  check(p);
  Step step;
  step.name = "invert-network";
  step.inputs = input_planes(p);
  step.outputs = output_planes(p);
  step.findings.resize(num_invert_network_findings);
  step.findings[infinite_sample] = {
      p.kind == ObservationKind::phase ? "infinity in the phase" : "infinity in the offset", true,
      "pixels have infinite samples, which are taken as no data"};
  step.findings[negative_label] = {"negative label", false,
                                   "pixels have negative labels in the mask, which are kept like all labels but 0"};
  step.flops_per_pixel = flops_per_pixel(p);
  step.batched_flops_per_pixel = batched_flops_per_pixel(p);
  step.parameters = std::move(parameters);
  return step;
}

}  // namespace outcrop::model
