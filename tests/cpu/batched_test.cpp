// The batched solver of both steps: every pixel against the dense reference and against the structured solver, pixels
// on both sides of the mark's tolerance, and the same bits however the work is cut.
#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "cpu/backend.hpp"
#include "model/pixel/cholesky.hpp"
#include "tests/support/network_judge.hpp"
#include "tests/support/thread_for.hpp"
#include "tests/support/topography_judge.hpp"

using namespace outcrop;
using model::CorrectTopography;
using model::InvertNetwork;
using model::Solver;
using test::NetworkResult;
using test::NetworkScene;
using test::Random;
using test::TopographyResult;
using test::TopographyScene;

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
  const auto backend = cpu::make_cpu_backend(serial);
  check_same(test::run_network(*backend, p, scene, scene.rows, scene.cols, Solver::batched),
             test::run_network(*backend, p, scene, scene.rows, scene.cols));
}

CorrectTopography some_topography(Random& random) {
  CorrectTopography p = test::some_model(random);
  test::choose_geometry(random, p);
  return p;
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
  test::check_random_steps(*cpu::make_cpu_backend(serial), random, test::random_step, Solver::batched);
}

TEST_CASE("every pixel of offsets has the reference's answer") {
  Random random(19960718);
  const SerialFor serial;
  test::check_random_steps(*cpu::make_cpu_backend(serial), random, test::random_offsets, Solver::batched);
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
  test::compare(p, scene, test::run_network(*cpu::make_cpu_backend(serial), p, scene, 2, 9, Solver::batched), total);
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
  const auto backend = cpu::make_cpu_backend(serial);
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

TEST_CASE("random models and pixels have the reference's answer, and the structured solver's counts") {
  const SerialFor serial;
  const auto backend = cpu::make_cpu_backend(serial);
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const CorrectTopography p = some_topography(random);
    const TopographyScene scene = test::some_scene(random, p);
    const TopographyResult batched = test::run_topography(*backend, p, scene, scene.rows, scene.cols, Solver::batched);
    test::compare_topography(p, scene, batched);
    const TopographyResult structured = test::run_topography(*backend, p, scene, scene.rows, scene.cols);
    CHECK(batched.status == structured.status);
    CHECK(batched.tally.status == structured.tally.status);
    CHECK(batched.tally.deviations == structured.tally.deviations);
  }
}

TEST_CASE("baselines on both sides of the mark's tolerance have the same DEM error") {
  Random random(12);
  CorrectTopography p;
  p.dates = test::some_dates(random, 24);
  p.excluded.assign(p.dates.size(), false);
  p.columns = model::design_columns(p.dates, 0, {});
  TopographyScene scene;
  scene.cols = static_cast<std::int64_t>(walk.size());
  scene.planes["quality_mask"].assign(walk.size(), 1.0F);
  scene.planes["incidence"].assign(walk.size(), 35.0F);
  scene.planes["slant_range"].assign(walk.size(), 8e5F);
  for (std::size_t d = 0; d < p.dates.size(); ++d) {
    const double wiggle = d % 2 == 0 ? 1 : -1;
    for (const double share : walk) {
      const double trend = 100 * p.columns[1].value[d];
      scene.planes["bperp"].push_back(
          static_cast<float>(trend + 40 * std::sqrt(share * model::pixel::weakest_pivot) * wiggle));
      scene.planes["timeseries"].push_back(static_cast<float>(test::number(random, -0.2, 0.2)));
    }
  }
  const SerialFor serial;
  const auto backend = cpu::make_cpu_backend(serial);
  const TopographyResult batched = test::run_topography(*backend, p, scene, 1, scene.cols, Solver::batched);
  const TopographyResult structured = test::run_topography(*backend, p, scene, 1, scene.cols);
  CHECK(batched.status == structured.status);
  test::compare_topography(p, scene, batched);
}

TEST_CASE("the bits of the batched solver do not depend on threads, tiles or the place in a pack") {
  Random random(11);
  const SerialFor serial;
  const test::ThreadFor threads(3);
  const auto one = cpu::make_cpu_backend(serial);
  const auto three = cpu::make_cpu_backend(threads);
  for (const auto shape : {test::NetworkShape::sequential, test::NetworkShape::random}) {
    InvertNetwork p = test::random_step(random, shape, 17);
    p.wants_islands = true;
    const NetworkScene scene = test::random_scene(random, p, 11, 37);
    const NetworkResult whole = test::run_network(*one, p, scene, 11, 37, Solver::batched);
    for (const auto& [rows, cols] : {std::pair{10, 5}, std::pair{1, 37}, std::pair{1, 1}, std::pair{4, 36}}) {
      CHECK(test::run_network(*one, p, scene, rows, cols, Solver::batched) == whole);
    }
    CHECK(test::run_network(*three, p, scene, 11, 37, Solver::batched) == whole);
  }
  for (std::uint64_t seed = 1000; seed < 1010; ++seed) {
    Random numbers(seed);
    const CorrectTopography p = some_topography(numbers);
    const TopographyScene scene = test::some_scene(numbers, p);
    const TopographyResult whole = test::run_topography(*one, p, scene, scene.rows, scene.cols, Solver::batched);
    CHECK(test::run_topography(*three, p, scene, 2, 5, Solver::batched) == whole);
    CHECK(test::run_topography(*one, p, scene, 1, 1, Solver::batched) == whole);
  }
}

TEST_CASE("the plan knows of the normal equations of every worker") {
  Random random(5);
  auto p = std::make_shared<InvertNetwork>(test::random_step(random, test::NetworkShape::sequential, 98));
  model::Step step = model::make_invert_network(p);
  const SerialFor serial;
  const test::ThreadFor threads(3);
  const auto one = cpu::make_cpu_backend(serial);
  const std::int64_t structured = one->program_bytes(step);
  const double flops = step.flops();
  step.solver = Solver::batched;
  const std::int64_t normal_bytes = std::int64_t{97} * 97 * 8 * one->limits().batch_pixels;
  CHECK(one->program_bytes(step) - structured >= normal_bytes);
  CHECK(cpu::make_cpu_backend(threads)->program_bytes(step) - structured >= 3 * normal_bytes);
  CHECK(step.flops() > 10 * flops);
}
