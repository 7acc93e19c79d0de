// The batched solver of correct-topography on any backend: every pixel against the dense reference and against the
// structured solver, pixels on both sides of the mark's tolerance, and the same bits however the work is cut.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "model/pixel/cholesky.hpp"
#include "tests/support/backend_under_test.hpp"
#include "tests/support/topography_judge.hpp"

using namespace outcrop;
using model::CorrectTopography;
using model::Solver;
using test::Random;
using test::TopographyResult;
using test::TopographyScene;

namespace {

CorrectTopography some_topography(Random& random) {
  CorrectTopography p = test::some_model(random);
  test::choose_geometry(random, p);
  return p;
}

/// Shares of the mark's tolerance, closer and closer to it and far from it.
const std::vector<double> walk{1e-6, 0.01, 0.5, 0.9, 0.99, 0.999, 1.001, 1.01, 1.1, 2, 100, 1e6};

}  // namespace

TEST_CASE("random models and pixels have the reference's answer, and the structured solver's counts") {
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
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
  const auto backend = test::backend_under_test(serial);
  const TopographyResult batched = test::run_topography(*backend, p, scene, 1, scene.cols, Solver::batched);
  const TopographyResult structured = test::run_topography(*backend, p, scene, 1, scene.cols);
  CHECK(batched.status == structured.status);
  test::compare_topography(p, scene, batched);
}

TEST_CASE("tiles do not change a bit") {
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
  for (std::uint64_t seed = 1000; seed < 1010; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const CorrectTopography p = some_topography(random);
    const TopographyScene scene = test::some_scene(random, p);
    const TopographyResult whole = test::run_topography(*backend, p, scene, scene.rows, scene.cols, Solver::batched);
    CHECK(test::run_topography(*backend, p, scene, 2, 5, Solver::batched) == whole);
    CHECK(test::run_topography(*backend, p, scene, 1, 1, Solver::batched) == whole);
  }
}
