// The kernels of all instruction sets that this machine has, against each other.
#include "cpu/isa.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "cpu/backend.hpp"
#include "tests/support/network_run.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/tolerance.hpp"

using namespace outcrop;

namespace {

std::vector<std::string> sets_here() {
  std::vector<std::string> names;
  for (const char* name : {"baseline", "v3", "v4"}) {
    try {
      names.emplace_back(cpu::kernels_named(name).name);
    } catch (const Error&) {
      MESSAGE("this machine or this build has no kernels for " << std::string(name));
    }
  }
  return names;
}

test::NetworkResult run_with(const std::string& set, const model::InvertNetwork& p, const test::NetworkScene& scene) {
  setenv("OUTCROP_ISA", set.c_str(), 1);
  const SerialFor serial;
  const auto backend = cpu::make_cpu_backend(serial);
  unsetenv("OUTCROP_ISA");
  return test::run_network(*backend, p, scene, scene.rows, scene.cols);
}

model::InvertNetwork random_parameters(test::Random& random, test::NetworkShape shape) {
  model::InvertNetwork p;
  p.network = test::make_test_network(random, shape, test::random_int(random, 5, 40));
  p.reference.assign(p.network.pairs.size(), 0.5F);
  p.weight = test::random_int(random, 0, 1) == 0 ? model::WeightFunction::variance : model::WeightFunction::fisher;
  p.num_looks = test::random_int(random, 1, 40);
  p.min_redundancy = test::random_int(random, 0, 1);
  return p;
}

/// Half of the pixels whole, the others with holes that also cut networks.
test::NetworkScene random_scene(test::Random& random, const model::InvertNetwork& p) {
  test::NetworkScene scene;
  scene.rows = 3;
  scene.cols = 41;
  for (std::int64_t k = 0; k < p.num_pairs(); ++k) {
    const model::Pair& pair = p.network.pairs[static_cast<std::size_t>(k)];
    for (std::int64_t i = 0; i < scene.pixels(); ++i) {
      const bool hole = i % 2 == 0 && test::random_real(random, 0, 1) < 0.6;
      const double phase = 0.4 * (pair.second - pair.first) + test::random_real(random, -2, 2);
      scene.observation.push_back(hole ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(phase));
      scene.coherence.push_back(static_cast<float>(test::random_real(random, 0, 1)));
    }
  }
  return scene;
}

/// Largest difference over largest magnitude.
double relative_difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double difference = 0;
  double magnitude = 1e-30;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    magnitude = std::max(magnitude, std::abs(static_cast<double>(a[i])));
  }
  return difference / magnitude;
}

}  // namespace

TEST_CASE("the instruction sets of this machine agree on every pixel") {
  test::Random random(20230101);
  for (int round = 0; round < 4; ++round) {
    for (const auto shape : test::all_network_shapes) {
      const model::InvertNetwork p = random_parameters(random, shape);
      const test::NetworkScene scene = random_scene(random, p);
      const test::NetworkResult baseline = run_with("baseline", p, scene);
      for (const std::string& set : sets_here()) {
        CAPTURE(set);
        CAPTURE(static_cast<int>(shape));
        const test::NetworkResult result = run_with(set, p, scene);
        CHECK(relative_difference(baseline.timeseries, result.timeseries) <= test::across_instruction_sets);
        CHECK(relative_difference(baseline.quality, result.quality) <= test::across_instruction_sets);
        CHECK(result.count == baseline.count);
        CHECK(result.status == baseline.status);
        CHECK(result.tally.status == baseline.tally.status);
      }
    }
  }
}

TEST_CASE("the best set of this machine is chosen when nothing is asked for") {
  unsetenv("OUTCROP_ISA");
  CHECK(cpu::choose_kernels().name == sets_here().back());
}
