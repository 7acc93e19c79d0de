// The step invert-network, declared.
#include "model/steps/invert_network.hpp"

#include <utility>

#include "core/check.hpp"
#include "model/elimination.hpp"

namespace outcrop::model {
namespace {

/// Per pair: referencing, mask, weight, assembly, residual and its sine and cosine.
constexpr double flops_per_pair = 60;

bool needs_coherence(const InvertNetwork& p) {
  return p.weight != WeightFunction::none || (p.mask != MaskRule::none && p.mask_is_coherence);
}

InputPlane coherence_plane(std::int64_t num_pairs) {
  ValueCheck check;
  check.lowest = 0;
  check.highest = 1;
  check.integers_only = true;
  check.advice = "coherence lies between 0 and 1; store it as floating-point numbers, or use --weight-func no";
  return {"coherence", num_pairs, "1", check};
}

std::vector<InputPlane> input_planes(const InvertNetwork& p) {
  std::vector<InputPlane> inputs{{"phase", p.num_pairs(), "rad", {}}};
  if (needs_coherence(p)) inputs.push_back(coherence_plane(p.num_pairs()));
  if (p.mask != MaskRule::none && !p.mask_is_coherence) inputs.push_back({"mask", p.num_pairs(), "1", {}});
  if (p.has_water_mask) inputs.push_back({"water_mask", 1, "1", {}});
  if (p.has_quality_mask) inputs.push_back({"quality_mask", 1, "1", {}});
  return inputs;
}

}  // namespace

Step make_invert_network(std::shared_ptr<const InvertNetwork> parameters) {
  const InvertNetwork& p = *parameters;
  OUTCROP_EXPECT(p.num_pairs() > 0, "invert-network needs at least one pair");
  OUTCROP_EXPECT(p.reference.size() == p.network.pairs.size(), "invert-network needs a reference value for each pair");
  Step step;
  step.name = "invert-network";
  step.inputs = input_planes(p);
  step.outputs = {{"timeseries", p.network.num_dates(), "m", DType::f32},
                  {"temporal_coherence", 1, "1", DType::f32},
                  {"count", 1, "1", DType::f32},
                  {"status", 1, "1", DType::u8}};
  step.deviations = {"infinity in the phase"};
  step.flops_per_pixel = flops_per_pair * static_cast<double>(p.num_pairs()) +
                         2 * static_cast<double>(plan_elimination(p.network).num_operations());
  step.parameters = std::move(parameters);
  return step;
}

}  // namespace outcrop::model
