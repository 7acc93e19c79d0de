// invert-network on random networks with random holes, of phases and of offsets: every pixel against the dense
// reference, and the same bits however the work is cut.
#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

#include "tests/support/backend_under_test.hpp"
#include "cpu/reference/invert_network.hpp"
#include "tests/support/network_run.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/tolerance.hpp"

using namespace outcrop;
using model::InvertNetwork;
using test::NetworkResult;
using test::NetworkScene;
using test::Random;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

float random_float(Random& random, double low, double high) {
  return static_cast<float>(test::random_real(random, low, high));
}

/// Observations of a history with noise; about every third pixel complete, the others with holes, some without one
/// date.
void add_pixel(Random& random, const InvertNetwork& p, NetworkScene& scene, std::int64_t pixel) {
  constexpr double hole_shares[] = {0, 0, 0.1, 0.4, 0.8, 1.0};
  const double holes = hole_shares[test::random_int(random, 0, 5)];
  const int lost_date = test::random_int(random, 0, 4 * p.network.num_dates());
  const double noise = test::random_int(random, 0, 1) == 0 ? 0.3 : 3.0;
  for (std::int64_t k = 0; k < p.num_pairs(); ++k) {
    const model::Pair& pair = p.network.pairs[static_cast<std::size_t>(k)];
    const bool hole = test::random_real(random, 0, 1) < holes || pair.first == lost_date || pair.second == lost_date;
    const float value = static_cast<float>(0.4 * (pair.second - pair.first)) + random_float(random, -noise, noise);
    const auto at = static_cast<std::size_t>(k * scene.pixels() + pixel);
    const bool zero = !p.zero_is_data && test::random_int(random, 0, 1) == 0;
    scene.observation[at] = !hole ? value : zero ? 0.0F : not_a_number;
    if (p.zero_is_data && test::random_int(random, 0, 20) == 0) scene.observation[at] = 0;
    scene.coherence[at] = test::random_int(random, 0, 20) == 0 ? not_a_number : random_float(random, 0, 1);
    scene.deviation[at] = test::random_int(random, 0, 20) == 0 ? not_a_number : random_float(random, 0, 1.5);
    scene.mask[at] = static_cast<float>(test::random_int(random, 0, 6));
  }
}

NetworkScene random_scene(Random& random, const InvertNetwork& p, std::int64_t rows, std::int64_t cols) {
  NetworkScene scene;
  scene.rows = rows;
  scene.cols = cols;
  const auto samples = static_cast<std::size_t>(p.num_pairs() * scene.pixels());
  for (auto* plane : {&scene.observation, &scene.coherence, &scene.deviation, &scene.mask}) plane->resize(samples);
  for (std::int64_t i = 0; i < scene.pixels(); ++i) {
    add_pixel(random, p, scene, i);
    scene.water_mask.push_back(test::random_int(random, 0, 9) == 0 ? 0.0F : 1.0F);
    scene.quality_mask.push_back(test::random_int(random, 0, 9) == 0 ? not_a_number : 0.5F);
  }
  return scene;
}

/// A random network with random settings.
InvertNetwork random_step(Random& random, test::NetworkShape shape, int num_dates) {
  constexpr model::WeightFunction functions[] = {model::WeightFunction::none, model::WeightFunction::coherence,
                                                 model::WeightFunction::fisher, model::WeightFunction::variance};
  constexpr double redundancies[] = {0, 1, 1, 2};
  InvertNetwork p;
  p.network = test::make_test_network(random, shape, num_dates);
  test::disturb_pairs(random, p.network);
  for (std::int64_t k = 0; k < p.num_pairs(); ++k) {
    p.reference.push_back(test::random_int(random, 0, 30) == 0 ? not_a_number : random_float(random, -5, 5));
  }
  p.weight = functions[test::random_int(random, 0, 3)];
  p.num_looks = test::random_int(random, 1, 40);
  p.norm = test::random_int(random, 0, 1) == 0 ? model::MinimumNorm::velocity : model::MinimumNorm::phase;
  p.mask = test::random_int(random, 0, 2) == 0 ? model::MaskRule::nonzero : model::MaskRule::none;
  if (p.mask == model::MaskRule::none && test::random_int(random, 0, 3) == 0) {
    p.mask = model::MaskRule::at_least;
    p.mask_source = model::MaskSource::coherence;
    p.mask_threshold = 0.3F;
  }
  p.min_redundancy = redundancies[test::random_int(random, 0, 3)];
  p.metres_per_unit = -0.0044;
  p.has_water_mask = test::random_int(random, 0, 1) == 0;
  p.has_quality_mask = test::random_int(random, 0, 1) == 0;
  return p;
}

/// The same as offsets: with standard deviations, and sometimes a mask of them.
InvertNetwork random_offsets(Random& random, test::NetworkShape shape, int num_dates) {
  InvertNetwork p = random_step(random, shape, num_dates);
  p.kind = model::ObservationKind::offset;
  p.zero_is_data = true;
  p.weight = test::random_int(random, 0, 1) == 0 ? model::WeightFunction::none : model::WeightFunction::deviation;
  p.metres_per_unit = 2.3;
  if (test::random_int(random, 0, 1) == 0) {
    p.mask = model::MaskRule::deviation;
    p.mask_source = model::MaskSource::deviation;
    p.mask_threshold = 0.2F;
    p.outlier_threshold = 1.0F;
    for (std::int64_t k = 0; k < p.num_pairs(); ++k) {
      p.median.push_back(test::random_int(random, 0, 9) == 0 ? not_a_number : random_float(random, -2, 2));
    }
  }
  return p;
}

cpu::reference::PixelSamples samples_of(const InvertNetwork& p, const NetworkScene& scene, std::size_t pixel) {
  cpu::reference::PixelSamples samples;
  const auto pixels = static_cast<std::size_t>(scene.pixels());
  for (std::size_t k = 0; k < p.network.pairs.size(); ++k) {
    samples.observation.push_back(scene.observation[k * pixels + pixel]);
    samples.coherence.push_back(scene.coherence[k * pixels + pixel]);
    samples.deviation.push_back(scene.deviation[k * pixels + pixel]);
    samples.mask.push_back(scene.mask[k * pixels + pixel]);
  }
  if (p.has_water_mask) samples.water_mask = scene.water_mask[pixel];
  if (p.has_quality_mask) samples.quality_mask = scene.quality_mask[pixel];
  return samples;
}

/// Differences from the reference, gathered over all pixels.
struct Differences {
  double sum_of_squares = 0;
  double largest = 0;
  double largest_reference = 0;
  std::int64_t num_samples = 0;
  std::int64_t num_status[num_pixel_status] = {};

  void add(double found, double expected) {
    sum_of_squares += (found - expected) * (found - expected);
    largest = std::max(largest, std::abs(found - expected));
    largest_reference = std::max(largest_reference, std::abs(expected));
    ++num_samples;
  }
};

/// Residuals in the unit of the observation, and temporal coherences; NaN is -1 in the result.
bool same_quality(const InvertNetwork& p, float found, double expected) {
  if (std::isnan(expected)) return found == -1;
  const double tolerance =
      p.kind == model::ObservationKind::phase ? test::temporal_coherence : test::series_rms * std::max(1.0, expected);
  return std::abs(static_cast<double>(found) - expected) < tolerance;
}

void compare(const InvertNetwork& p, const NetworkScene& scene, const NetworkResult& result, Differences& total) {
  const auto pixels = static_cast<std::size_t>(scene.pixels());
  std::int64_t num_wrong = 0;
  Differences here;
  for (std::size_t i = 0; i < pixels; ++i) {
    const auto answer = cpu::reference::invert_network(p, samples_of(p, scene, i));
    if (result.status[i] != static_cast<std::uint8_t>(answer.status)) ++num_wrong;
    if (result.count[i] != static_cast<float>(answer.count)) ++num_wrong;
    if (!same_quality(p, result.quality[i], answer.quality)) ++num_wrong;
    for (std::size_t n = 0; n < answer.timeseries_m.size(); ++n) {
      here.add(static_cast<double>(result.timeseries[n * pixels + i]), answer.timeseries_m[n]);
    }
    ++total.num_status[static_cast<std::size_t>(answer.status)];
  }
  CHECK(num_wrong == 0);
  CHECK(std::sqrt(here.sum_of_squares / static_cast<double>(here.num_samples)) <=
        test::series_rms * here.largest_reference);
  CHECK(here.largest <= test::series_largest * here.largest_reference);
}

/// The property means something only if all kinds of pixels occurred.
void check_kinds(const Differences& total) {
  for (const auto status :
       {PixelStatus::ok, PixelStatus::min_norm, PixelStatus::masked, PixelStatus::no_data, PixelStatus::too_few}) {
    CHECK(total.num_status[static_cast<std::size_t>(status)] > 100);
  }
}

/// Compares random scenes of random steps of all network shapes.
template <class MakeStep>
void check_random_steps(Random& random, const MakeStep& make_step) {
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
  Differences total;
  for (int round = 0; round < 12; ++round) {
    for (const auto shape : test::all_network_shapes) {
      const InvertNetwork p = make_step(random, shape, test::random_int(random, 2, 24));
      if (p.network.pairs.empty()) continue;
      CAPTURE(round);
      CAPTURE(static_cast<int>(shape));
      const NetworkScene scene = random_scene(random, p, 3, 13);
      compare(p, scene, test::run_network(*backend, p, scene, 3, 13), total);
    }
  }
  check_kinds(total);
}

/// Each element of each pixel against the pseudo-inverse; gives the number of pixels with several islands.
int compare_covariance(const InvertNetwork& p, const NetworkScene& scene, const NetworkResult& result) {
  const auto pixels = static_cast<std::size_t>(scene.pixels());
  int num_cut = 0;
  for (std::size_t i = 0; i < pixels; ++i) {
    CAPTURE(i);
    const std::vector<double> expected = cpu::reference::covariance(p, samples_of(p, scene, i));
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
  check_random_steps(random, random_step);
}

TEST_CASE("every pixel of offsets agrees with the dense reference") {
  Random random(19960718);
  check_random_steps(random, random_offsets);
}

TEST_CASE("the covariance is that of the unweighted pseudo-inverse, also across islands") {
  Random random(5);
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
  int num_cut = 0;
  for (int round = 0; round < 6; ++round) {
    for (const auto shape : test::all_network_shapes) {
      InvertNetwork p = (round % 2 == 0 ? random_step : random_offsets)(random, shape, test::random_int(random, 2, 14));
      if (p.network.pairs.empty()) continue;
      p.covariance = model::Covariance{test::random_int(random, 0, p.network.num_dates() - 1), 1e-3};
      p.wants_islands = true;
      CAPTURE(round);
      CAPTURE(static_cast<int>(shape));
      const NetworkScene scene = random_scene(random, p, 2, 9);
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
      InvertNetwork p = random_step(random, test::NetworkShape::star, 9);
      p.network.pairs.clear();
      for (const int date : {0, 1, 2, 3, 5, 6, 7, 8}) p.network.pairs.push_back({4, date});
      p.reference.assign(p.network.pairs.size(), 0.25F);
      p.norm = norm;
      p.min_redundancy = redundancy;
      p.removed_date = 4;
      const NetworkScene scene = random_scene(random, p, 3, 13);
      Differences total;
      compare(p, scene, test::run_network(*backend, p, scene, 3, 13), total);
    }
  }
}

TEST_CASE("a long network with long pairs agrees with the dense reference") {
  Random random(7);
  InvertNetwork p = random_step(random, test::NetworkShape::sequential, 98);
  p.network.pairs.clear();
  test::add_near_pairs(p.network, 5);
  test::add_random_pairs(random, p.network, 36);
  p.reference.assign(p.network.pairs.size(), 0.5F);
  const SerialFor serial;
  for (const auto norm : {model::MinimumNorm::velocity, model::MinimumNorm::phase}) {
    p.norm = norm;
    const NetworkScene scene = random_scene(random, p, 2, 9);
    Differences total;
    compare(p, scene, test::run_network(*test::backend_under_test(serial), p, scene, 2, 9), total);
  }
}

TEST_CASE("the bits do not depend on threads, tiles or the place in a pack") {
  Random random(11);
  for (const auto shape :
       {test::NetworkShape::sequential, test::NetworkShape::interleaved, test::NetworkShape::random}) {
    InvertNetwork p = random_step(random, shape, 17);
    p.has_reference_pixel = true;
    p.reference_row = 10;
    p.reference_col = 6;
    p.covariance = model::Covariance{3, 1};
    p.wants_islands = true;
    const NetworkScene scene = random_scene(random, p, 11, 37);
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
