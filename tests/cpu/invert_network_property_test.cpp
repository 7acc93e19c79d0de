// invert-network on random networks with random holes, of phases and of offsets: every pixel against the dense
// reference, and the same bits however the work is cut.
#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

#include "cpu/reference/invert_network.hpp"
#include "tests/support/backend_under_test.hpp"
#include "tests/support/network_judge.hpp"

using namespace outcrop;
using model::InvertNetwork;
using test::NetworkResult;
using test::NetworkScene;
using test::Random;

namespace {

/// Each element of each pixel against the pseudo-inverse; gives the number of pixels with several islands.
int compare_covariance(const InvertNetwork& p, const NetworkScene& scene, const NetworkResult& result) {
  const auto pixels = static_cast<std::size_t>(scene.pixels());
  int num_cut = 0;
  for (std::size_t i = 0; i < pixels; ++i) {
    CAPTURE(i);
    const std::vector<double> expected = cpu::reference::covariance(p, test::samples_of(p, scene, i));
    const double largest = *std::max_element(expected.begin(), expected.end());
    double difference = 0;
    for (std::size_t n = 0; n < expected.size(); ++n) {
      difference = std::max(difference, std::abs(static_cast<double>(result.covariance[n * pixels + i]) - expected[n]));
    }
    CHECK(difference <= test::series_rms * largest);
    num_cut += largest > 0 && result.islands[i] > 1 ? 1 : 0;
  }
  return num_cut;
}

}  // namespace

TEST_CASE("every pixel of every network agrees with the dense reference") {
  Random random(20240229);
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
  test::check_random_steps(*backend, random, test::random_step);
}

TEST_CASE("every pixel of offsets agrees with the dense reference") {
  Random random(19960718);
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
  test::check_random_steps(*backend, random, test::random_offsets);
}

TEST_CASE("the covariance is that of the unweighted pseudo-inverse, also across islands") {
  Random random(5);
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
  int num_cut = 0;
  for (int round = 0; round < 6; ++round) {
    for (const auto shape : test::all_network_shapes) {
      InvertNetwork p =
          (round % 2 == 0 ? test::random_step : test::random_offsets)(random, shape, test::random_int(random, 2, 14));
      if (p.network.pairs.empty()) continue;
      p.covariance = model::Covariance{test::random_int(random, 0, p.network.num_dates() - 1), 1e-3};
      p.wants_islands = true;
      CAPTURE(round);
      CAPTURE(static_cast<int>(shape));
      const NetworkScene scene = test::random_scene(random, p, 2, 9);
      num_cut += compare_covariance(p, scene, test::run_network(*backend, p, scene, 2, 9));
    }
  }
  CHECK(num_cut > 50);
}

TEST_CASE("MintPy's order for a shared later date agrees with the dense reference") {
  Random random(41);
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
  for (const auto norm : {model::MinimumNorm::velocity, model::MinimumNorm::phase}) {
    for (const double redundancy : {0.0, 1.0}) {
      InvertNetwork p = test::random_step(random, test::NetworkShape::star, 9);
      p.network.pairs.clear();
      for (const int date : {0, 1, 2, 3, 5, 6, 7, 8}) p.network.pairs.push_back({4, date});
      p.reference.assign(p.network.pairs.size(), 0.25F);
      p.norm = norm;
      p.min_redundancy = redundancy;
      p.removed_date = 4;
      const NetworkScene scene = test::random_scene(random, p, 3, 13);
      test::Differences total;
      test::compare(p, scene, test::run_network(*backend, p, scene, 3, 13), total);
    }
  }
}

TEST_CASE("a long network with long pairs agrees with the dense reference") {
  Random random(7);
  InvertNetwork p = test::random_step(random, test::NetworkShape::sequential, 98);
  p.network.pairs.clear();
  test::add_near_pairs(p.network, 5);
  test::add_random_pairs(random, p.network, 36);
  p.reference.assign(p.network.pairs.size(), 0.5F);
  const SerialFor serial;
  for (const auto norm : {model::MinimumNorm::velocity, model::MinimumNorm::phase}) {
    p.norm = norm;
    const NetworkScene scene = test::random_scene(random, p, 2, 9);
    test::Differences total;
    test::compare(p, scene, test::run_network(*test::backend_under_test(serial), p, scene, 2, 9), total);
  }
}

TEST_CASE("the bits do not depend on threads, tiles or the place in a pack") {
  Random random(11);
  for (const auto shape :
       {test::NetworkShape::sequential, test::NetworkShape::interleaved, test::NetworkShape::random}) {
    InvertNetwork p = test::random_step(random, shape, 17);
    p.has_reference_pixel = true;
    p.reference_row = 10;
    p.reference_col = 6;
    p.covariance = model::Covariance{3, 1};
    p.wants_islands = true;
    const NetworkScene scene = test::random_scene(random, p, 11, 37);
    const SerialFor serial;
    const NetworkResult whole = test::run_network(*test::backend_under_test(serial), p, scene, 11, 37);
    for (const auto& [rows, cols] :
         {std::pair{10, 5}, std::pair{1, 37}, std::pair{11, 1}, std::pair{1, 1}, std::pair{4, 36}}) {
      CHECK(test::run_network(*test::backend_under_test(serial), p, scene, rows, cols) == whole);
    }
    for (const int num_threads : {2, 3, 7}) {
      const test::ThreadFor threads(num_threads);
      CHECK(test::run_network(*test::backend_under_test(threads), p, scene, 11, 37) == whole);
    }
  }
}
