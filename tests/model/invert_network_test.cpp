// What the step invert-network declares.
#include "model/steps/invert_network.hpp"

#include <doctest/doctest.h>

using namespace outcrop;
using model::InvertNetwork;

namespace {

InvertNetwork three_pairs() {
  InvertNetwork p;
  p.network = model::make_network({{"20200101", "20200113"}, {"20200113", "20200125"}, {"20200101", "20200125"}});
  p.reference = {0, 0, 0};
  return p;
}

std::vector<std::string> input_names(const InvertNetwork& p) {
  std::vector<std::string> names;
  for (const auto& plane : model::make_invert_network(std::make_shared<const InvertNetwork>(p)).inputs) {
    names.push_back(plane.name);
  }
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("invert-network reads coherence only when weights or the mask need it") {
  InvertNetwork p = three_pairs();
  CHECK(input_names(p) == Names{"observation", "coherence"});
  p.weight = model::WeightFunction::none;
  CHECK(input_names(p) == Names{"observation"});
  p.mask = model::MaskRule::at_least;
  p.mask_source = model::MaskSource::coherence;
  CHECK(input_names(p) == Names{"observation", "coherence"});
}

TEST_CASE("a mask that is the coherence is read once, any other is a plane of its own") {
  InvertNetwork p = three_pairs();
  p.mask = model::MaskRule::at_least;
  p.mask_source = model::MaskSource::coherence;
  CHECK(input_names(p) == Names{"observation", "coherence"});
  p.mask = model::MaskRule::nonzero;
  p.mask_source = model::MaskSource::own;
  p.has_water_mask = true;
  p.has_quality_mask = true;
  CHECK(input_names(p) == Names{"observation", "coherence", "mask", "water_mask", "quality_mask"});
}

TEST_CASE("invert-network writes a series, its quality, its count and its status") {
  const model::Step step = model::make_invert_network(std::make_shared<const InvertNetwork>(three_pairs()));
  CHECK(step.name == "invert-network");
  REQUIRE(step.outputs.size() == 4);
  CHECK(step.outputs[0].depth == 3);
  CHECK(step.outputs[3].dtype == DType::u8);
  REQUIRE(step.findings.size() == model::num_invert_network_findings);
  CHECK(step.findings[model::infinite_sample].deviates);
  CHECK_FALSE(step.findings[model::negative_label].deviates);
  CHECK(step.inputs[1].check->integers_only);
  CHECK(step.flops_per_pixel > 0);
  CHECK(&step.as<InvertNetwork>() == step.parameters.get());
}

TEST_CASE("parameters of another step are an error of the program") {
  model::Step step = model::make_invert_network(std::make_shared<const InvertNetwork>(three_pairs()));
  step.parameters = std::make_shared<const model::StepParameters>();
  CHECK_THROWS_AS(step.as<InvertNetwork>(), Error);
}

TEST_CASE("offsets read their standard deviations once, for weights, mask and covariance") {
  InvertNetwork p = three_pairs();
  p.kind = model::ObservationKind::offset;
  p.weight = model::WeightFunction::none;
  CHECK(input_names(p) == Names{"observation"});
  p.mask = model::MaskRule::deviation;
  p.mask_source = model::MaskSource::deviation;
  CHECK(input_names(p) == Names{"observation", "std"});
  p.weight = model::WeightFunction::deviation;
  p.covariance = model::Covariance{};
  CHECK(input_names(p) == Names{"observation", "std"});
  p.mask = model::MaskRule::at_least;
  p.mask_source = model::MaskSource::own;
  CHECK(input_names(p) == Names{"observation", "std", "mask"});
}

TEST_CASE("islands and covariance are written when asked for") {
  InvertNetwork p = three_pairs();
  p.wants_islands = true;
  p.covariance = model::Covariance{};
  const model::Step step = model::make_invert_network(std::make_shared<const InvertNetwork>(p));
  REQUIRE(step.outputs.size() == 6);
  CHECK(step.outputs[4].name == "islands");
  CHECK(step.outputs[5].depth == 9);
}

TEST_CASE("an unweighted covariance still needs the coherence") {
  InvertNetwork p = three_pairs();
  p.weight = model::WeightFunction::none;
  p.covariance = model::Covariance{};
  CHECK(input_names(p) == Names{"observation", "coherence"});
}

TEST_CASE("phases weighted by standard deviation are an error of the program") {
  InvertNetwork p = three_pairs();
  p.weight = model::WeightFunction::deviation;
  CHECK_THROWS_AS(model::make_invert_network(std::make_shared<const InvertNetwork>(p)), Error);
}
