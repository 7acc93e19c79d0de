// What a chain of two steps declares.
#include "model/steps/chain.hpp"

#include <doctest/doctest.h>

using namespace outcrop;
using model::Step;

namespace {

Step first_step() {
  Step step;
  step.name = "one";
  step.inputs = {{"in", 5, "1", {}}, {"mask", 1, "1", {}}};
  step.outputs = {{"series", 3, "m", DType::f32}, {"quality", 1, "1", DType::f32}, {"status", 1, "1", DType::u8}};
  step.findings = {{"found by one", true, ""}};
  step.flops_per_pixel = 4;
  return step;
}

Step second_step() {
  Step step;
  step.name = "two";
  step.inputs = {
      {"series", 3, "m", {}}, {"angle", 1, "deg", model::ValueCheck{0, 90, false, false, ""}}, {"mask", 1, "1", {}}};
  step.outputs = {{"better", 3, "m", DType::f32}, {"status", 1, "1", DType::u8}};
  step.flops_per_pixel = 3;
  return step;
}

template <class Plane>
std::vector<std::string> names_of(const std::vector<Plane>& planes) {
  std::vector<std::string> names;
  for (const auto& plane : planes) names.push_back(plane.name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a chain reads what its second step reads but for the links, and writes what both write") {
  const Step chain = model::make_chain(first_step(), second_step(), {{"series", "series"}});
  CHECK(chain.name == "one then two");
  CHECK(names_of(chain.inputs) == Names{"in", "mask", "two.angle", "two.mask"});
  CHECK(names_of(chain.outputs) == Names{"series", "quality", "status", "two.better", "two.status"});
  CHECK(chain.inputs[2].check->highest == 90);
  CHECK(chain.outputs[4].dtype == DType::u8);
  CHECK(chain.flops_per_pixel == 7);
  REQUIRE(chain.findings.size() == 1);
  CHECK(chain.findings[0].name == "found by one");
}

TEST_CASE("an output can feed an input of another name") {
  const Step chain = model::make_chain(first_step(), second_step(), {{"series", "series"}, {"quality", "mask"}});
  CHECK(names_of(chain.inputs) == Names{"in", "mask", "two.angle"});
  CHECK(chain.as<model::Chain>().is_linked("mask"));
  CHECK_FALSE(chain.as<model::Chain>().is_linked("angle"));
}

TEST_CASE("a chain gives its steps in their order, a single step itself") {
  const Step chain = model::make_chain(first_step(), second_step(), {{"series", "series"}});
  const auto steps = model::steps_of(chain);
  REQUIRE(steps.size() == 2);
  CHECK(steps[0]->name == "one");
  CHECK(steps[1]->name == "two");
  const Step single = first_step();
  CHECK(model::steps_of(single) == std::vector<const Step*>{&single});
  CHECK(model::chain_of(single) == nullptr);
}

TEST_CASE("a link of planes that are not there or that differ is an error of the program") {
  CHECK_THROWS_AS(model::make_chain(first_step(), second_step(), {{"nothing", "series"}}), Error);
  CHECK_THROWS_AS(model::make_chain(first_step(), second_step(), {{"series", "nothing"}}), Error);
  CHECK_THROWS_AS(model::make_chain(first_step(), second_step(), {{"series", "mask"}}), Error);
  CHECK_THROWS_AS(model::make_chain(first_step(), second_step(), {{"status", "mask"}}), Error);
  CHECK_THROWS_AS(model::make_chain(first_step(), second_step(), {{"quality", "angle"}}), Error);
}

TEST_CASE("the solver of a chain is that of both its steps") {
  const Step chain =
      model::solved_by(model::make_chain(first_step(), second_step(), {{"series", "series"}}), model::Solver::batched);
  CHECK(chain.solver == model::Solver::batched);
  for (const Step* step : model::steps_of(chain)) CHECK(step->solver == model::Solver::batched);
  CHECK(model::solved_by(first_step(), model::Solver::batched).solver == model::Solver::batched);
}
