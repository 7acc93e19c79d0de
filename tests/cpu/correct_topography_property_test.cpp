// correct-topography against the double precision judge on random models and random pixels of every kind.
#include <doctest/doctest.h>

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
