// The batched solver of invert-network on any backend: every pixel against the dense reference and against the
// structured solver, and pixels on both sides of the mark's tolerance.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "model/pixel/cholesky.hpp"
#include "tests/support/backend_under_test.hpp"
#include "tests/support/network_judge.hpp"

using namespace outcrop;
using model::InvertNetwork;
using model::Solver;
using test::NetworkResult;
using test::NetworkScene;
using test::Random;

namespace {

/// largest: the scale there is at least.
void check_close(const std::vector<float>& found, const std::vector<float>& expected, float largest = 0) {
  REQUIRE(found.size() == expected.size());
  float difference = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    difference = std::max(difference, std::abs(found[i] - expected[i]));
  }
  CHECK(static_cast<double>(difference) <= test::across_solvers * static_cast<double>(largest));
}

void check_same(const NetworkResult& batched, const NetworkResult& structured) {
  check_close(batched.timeseries, structured.timeseries);
  check_close(batched.quality, structured.quality, 1);  // an exact fit leaves nothing but rounding
  CHECK(batched.count == structured.count);
  CHECK(batched.status == structured.status);
  CHECK(batched.islands == structured.islands);
  CHECK(batched.covariance == structured.covariance);
  CHECK(batched.tally.status == structured.tally.status);
  CHECK(batched.tally.deviations == structured.tally.deviations);
}

void check_both_solvers(const InvertNetwork& p, const NetworkScene& scene) {
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
  check_same(test::run_network(*backend, p, scene, scene.rows, scene.cols, Solver::batched),
             test::run_network(*backend, p, scene, scene.rows, scene.cols));
}

/// Three dates whose middle one hangs on an offset of standard deviation 1 / `root_weight`, the others on one of 1: the
/// pivot of the second velocity is about the square of root_weight.
InvertNetwork weakly_tied() {
  InvertNetwork p;
  p.network.dates = {"0", "1", "2"};
  p.network.days = {0, 365, 730};
  p.network.pairs = {{0, 2}, {0, 1}};
  p.reference = {0, 0};
  p.kind = model::ObservationKind::offset;
  p.zero_is_data = true;
  p.weight = model::WeightFunction::deviation;
  return p;
}

/// Shares of the mark's tolerance, closer and closer to it and far from it.
const std::vector<double> walk{1e-6, 0.01, 0.5, 0.9, 0.99, 0.999, 1.001, 1.01, 1.1, 2, 100, 1e6};

}  // namespace

TEST_CASE("every pixel of every network has the reference's answer") {
  Random random(20240229);
  const SerialFor serial;
  test::check_random_steps(*test::backend_under_test(serial), random, test::random_step, Solver::batched);
}

TEST_CASE("every pixel of offsets has the reference's answer") {
  Random random(19960718);
  const SerialFor serial;
  test::check_random_steps(*test::backend_under_test(serial), random, test::random_offsets, Solver::batched);
}

TEST_CASE("a long network has the reference's answer") {
  Random random(7);
  InvertNetwork p = test::random_step(random, test::NetworkShape::sequential, 98);
  p.network.pairs.clear();
  test::add_near_pairs(p.network, 5);
  test::add_random_pairs(random, p.network, 36);
  p.reference.assign(p.network.pairs.size(), 0.5F);
  const SerialFor serial;
  const NetworkScene scene = test::random_scene(random, p, 2, 9);
  test::Differences total;
  test::compare(p, scene, test::run_network(*test::backend_under_test(serial), p, scene, 2, 9, Solver::batched), total);
}

TEST_CASE("both solvers of a network give the same products, tallies, islands and covariances") {
  Random random(3);
  for (int round = 0; round < 8; ++round) {
    for (const auto shape : test::all_network_shapes) {
      auto make_step = round % 2 == 0 ? test::random_step : test::random_offsets;
      InvertNetwork p = make_step(random, shape, test::random_int(random, 2, 20));
      if (p.network.pairs.empty()) continue;
      p.wants_islands = true;
      if (round > 5) p.covariance = model::Covariance{0, 1e-3};
      p.has_reference_pixel = true;
      p.reference_row = test::random_int(random, 0, 2);
      p.reference_col = test::random_int(random, 0, 12);
      CAPTURE(round);
      CAPTURE(static_cast<int>(shape));
      check_both_solvers(p, test::random_scene(random, p, 3, 13));
    }
  }
}

TEST_CASE("MintPy's order for a shared later date is that of the structured solver") {
  Random random(41);
  for (const auto norm : {model::MinimumNorm::velocity, model::MinimumNorm::phase}) {
    InvertNetwork p = test::random_step(random, test::NetworkShape::star, 9);
    p.network.pairs.clear();
    for (const int date : {0, 1, 2, 3, 5, 6, 7, 8}) p.network.pairs.push_back({4, date});
    p.reference.assign(p.network.pairs.size(), 0.25F);
    p.norm = norm;
    p.removed_date = 4;
    check_both_solvers(p, test::random_scene(random, p, 3, 13));
  }
}

TEST_CASE("pixels of a network on both sides of the mark's tolerance have the same answer") {
  const InvertNetwork p = weakly_tied();
  NetworkScene scene;
  scene.cols = static_cast<std::int64_t>(walk.size());
  for (std::size_t i = 0; i < walk.size(); ++i) scene.observation.push_back(3);
  for (std::size_t i = 0; i < walk.size(); ++i) scene.observation.push_back(5);
  scene.deviation.assign(walk.size(), 1.0F);
  for (const double share : walk) {
    scene.deviation.push_back(static_cast<float>(1 / std::sqrt(share * model::pixel::weakest_pivot)));
  }
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
  const NetworkResult result = test::run_network(*backend, p, scene, 1, scene.cols, Solver::batched);
  CHECK(result.tally[PixelStatus::ok] == scene.cols);
  for (std::size_t i = 0; i < walk.size(); ++i) {
    CAPTURE(walk[i]);
    CHECK(result.timeseries[walk.size() + i] == doctest::Approx(5));
    CHECK(result.timeseries[2 * walk.size() + i] == doctest::Approx(3));
    CHECK(result.quality[i] == doctest::Approx(0));
  }
  check_both_solvers(p, scene);
}
