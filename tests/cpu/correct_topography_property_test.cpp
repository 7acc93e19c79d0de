// correct-topography against the double precision judge on random models and random pixels of every kind.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/backend_under_test.hpp"
#include "tests/support/thread_for.hpp"
#include "tests/support/topography_judge.hpp"

using namespace outcrop;
using model::CorrectTopography;
using test::TopographyResult;
using test::TopographyScene;

TEST_CASE("random models and pixels have the judge's answer") {
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    test::Random random(seed);
    CorrectTopography p = test::some_model(random);
    test::choose_geometry(random, p);
    const TopographyScene scene = test::some_scene(random, p);
    test::compare_topography(p, scene, test::run_topography(*backend, p, scene, scene.rows, scene.cols));
  }
}

TEST_CASE("tiles and threads do not change a bit") {
  const SerialFor serial;
  const test::ThreadFor threads(3);
  const auto one = test::backend_under_test(serial);
  const auto three = test::backend_under_test(threads);
  for (std::uint64_t seed = 1000; seed < 1020; ++seed) {
    CAPTURE(seed);
    test::Random random(seed);
    CorrectTopography p = test::some_model(random);
    test::choose_geometry(random, p);
    TopographyScene scene = test::some_scene(random, p);
    const TopographyResult whole_image = test::run_topography(*one, p, scene, scene.rows, scene.cols);
    CHECK(test::run_topography(*three, p, scene, scene.rows, scene.cols) == whole_image);
    CHECK(test::run_topography(*three, p, scene, 2, 5) == whole_image);
    CHECK(test::run_topography(*one, p, scene, 1, 1) == whole_image);
  }
}

TEST_CASE("baselines that nearly follow another column have the judge's answer, and the same bits in any tile") {
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    test::Random random(seed);
    CorrectTopography p = test::some_model(random);
    TopographyScene scene = test::some_scene(random, p);
    // From far above to far below what the closed form takes by a difference of squares, now and then mixed in a pack.
    const bool mixed = test::chance(random, 0.3);
    double share = std::pow(10.0, test::number(random, -4, 0));
    const auto pixels = static_cast<std::size_t>(scene.pixels());
    for (std::size_t px = 0; px < pixels; ++px) {
      if (mixed) share = std::pow(10.0, test::number(random, -2, -1));
      for (std::size_t d = 0; d < p.dates.size(); ++d) {
        const double baseline_m = 30 * p.columns[1].value[d] + share * test::number(random, -200, 200);
        scene.planes["bperp"][d * pixels + px] = static_cast<float>(baseline_m);
      }
    }
    const TopographyResult whole_image = test::run_topography(*backend, p, scene, scene.rows, scene.cols);
    test::compare_topography(p, scene, whole_image);
    CHECK(test::run_topography(*backend, p, scene, 1, 1) == whole_image);
  }
}
