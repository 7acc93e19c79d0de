// Random steps invert-network, random scenes for them, and the comparison of a result with the reference.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cpu/reference/invert_network.hpp"
#include "tests/support/network_run.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/tolerance.hpp"

namespace outcrop::test {

using model::InvertNetwork;

inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

inline float random_float(Random& random, double low, double high) {
  return static_cast<float>(random_real(random, low, high));
}

/// Observations of a history with noise; about every third pixel complete, the others with holes, some without one
/// date.
inline void add_pixel(Random& random, const InvertNetwork& p, NetworkScene& scene, std::int64_t pixel) {
  constexpr double hole_shares[] = {0, 0, 0.1, 0.4, 0.8, 1.0};
  const double holes = hole_shares[random_int(random, 0, 5)];
  const int lost_date = random_int(random, 0, 4 * p.network.num_dates());
  const double noise = random_int(random, 0, 1) == 0 ? 0.3 : 3.0;
  for (std::int64_t k = 0; k < p.num_pairs(); ++k) {
    const model::Pair& pair = p.network.pairs[static_cast<std::size_t>(k)];
    const bool hole = random_real(random, 0, 1) < holes || pair.first == lost_date || pair.second == lost_date;
    const float value = static_cast<float>(0.4 * (pair.second - pair.first)) + random_float(random, -noise, noise);
    const auto at = static_cast<std::size_t>(k * scene.pixels() + pixel);
    const bool zero = !p.zero_is_data && random_int(random, 0, 1) == 0;
    scene.observation[at] = !hole ? value : zero ? 0.0F : not_a_number;
    if (p.zero_is_data && random_int(random, 0, 20) == 0) scene.observation[at] = 0;
    scene.coherence[at] = random_int(random, 0, 20) == 0 ? not_a_number : random_float(random, 0, 1);
    scene.deviation[at] = random_int(random, 0, 20) == 0 ? not_a_number : random_float(random, 0, 1.5);
    scene.mask[at] = static_cast<float>(random_int(random, 0, 6));
  }
}

inline NetworkScene random_scene(Random& random, const InvertNetwork& p, std::int64_t rows, std::int64_t cols) {
  NetworkScene scene;
  scene.rows = rows;
  scene.cols = cols;
  const auto samples = static_cast<std::size_t>(p.num_pairs() * scene.pixels());
  for (auto* plane : {&scene.observation, &scene.coherence, &scene.deviation, &scene.mask}) plane->resize(samples);
  for (std::int64_t i = 0; i < scene.pixels(); ++i) {
    add_pixel(random, p, scene, i);
    scene.water_mask.push_back(random_int(random, 0, 9) == 0 ? 0.0F : 1.0F);
    scene.quality_mask.push_back(random_int(random, 0, 9) == 0 ? not_a_number : 0.5F);
  }
  return scene;
}

/// A random network with random settings.
inline InvertNetwork random_step(Random& random, NetworkShape shape, int num_dates) {
  constexpr model::WeightFunction functions[] = {model::WeightFunction::none, model::WeightFunction::coherence,
                                                 model::WeightFunction::fisher, model::WeightFunction::variance};
  constexpr double redundancies[] = {0, 1, 1, 2};
  InvertNetwork p;
  p.network = make_test_network(random, shape, num_dates);
  disturb_pairs(random, p.network);
  for (std::int64_t k = 0; k < p.num_pairs(); ++k) {
    p.reference.push_back(random_int(random, 0, 30) == 0 ? not_a_number : random_float(random, -5, 5));
  }
  p.weight = functions[random_int(random, 0, 3)];
  p.num_looks = random_int(random, 1, 40);
  p.norm = random_int(random, 0, 1) == 0 ? model::MinimumNorm::velocity : model::MinimumNorm::phase;
  p.mask = random_int(random, 0, 2) == 0 ? model::MaskRule::nonzero : model::MaskRule::none;
  if (p.mask == model::MaskRule::none && random_int(random, 0, 3) == 0) {
    p.mask = model::MaskRule::at_least;
    p.mask_source = model::MaskSource::coherence;
    p.mask_threshold = 0.3F;
  }
  p.min_redundancy = redundancies[random_int(random, 0, 3)];
  p.metres_per_unit = -0.0044;
  p.has_water_mask = random_int(random, 0, 1) == 0;
  p.has_quality_mask = random_int(random, 0, 1) == 0;
  return p;
}

/// The same as offsets: with standard deviations, and sometimes a mask of them.
inline InvertNetwork random_offsets(Random& random, NetworkShape shape, int num_dates) {
  InvertNetwork p = random_step(random, shape, num_dates);
  p.kind = model::ObservationKind::offset;
  p.zero_is_data = true;
  p.weight = random_int(random, 0, 1) == 0 ? model::WeightFunction::none : model::WeightFunction::deviation;
  p.metres_per_unit = 2.3;
  if (random_int(random, 0, 1) == 0) {
    p.mask = model::MaskRule::deviation;
    p.mask_source = model::MaskSource::deviation;
    p.mask_threshold = 0.2F;
    p.outlier_threshold = 1.0F;
    for (std::int64_t k = 0; k < p.num_pairs(); ++k) {
      p.median.push_back(random_int(random, 0, 9) == 0 ? not_a_number : random_float(random, -2, 2));
    }
  }
  return p;
}

inline cpu::reference::PixelSamples samples_of(const InvertNetwork& p, const NetworkScene& scene, std::size_t pixel) {
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
inline bool same_quality(const InvertNetwork& p, float found, double expected) {
  if (std::isnan(expected)) return found == -1;
  const double tolerance =
      p.kind == model::ObservationKind::phase ? temporal_coherence : series_rms * std::max(1.0, expected);
  return std::abs(static_cast<double>(found) - expected) < tolerance;
}

inline void compare(const InvertNetwork& p, const NetworkScene& scene, const NetworkResult& result,
                    Differences& total) {
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
  CHECK(std::sqrt(here.sum_of_squares / static_cast<double>(here.num_samples)) <= series_rms * here.largest_reference);
  CHECK(here.largest <= series_largest * here.largest_reference);
}

/// The property means something only if all kinds of pixels occurred.
inline void check_kinds(const Differences& total) {
  for (const auto status :
       {PixelStatus::ok, PixelStatus::min_norm, PixelStatus::masked, PixelStatus::no_data, PixelStatus::too_few}) {
    CHECK(total.num_status[static_cast<std::size_t>(status)] > 100);
  }
}

/// Compares random scenes of random steps of all network shapes.
template <class MakeStep>
void check_random_steps(Backend& backend, Random& random, const MakeStep& make_step,
                        model::Solver solver = model::Solver::structured) {
  Differences total;
  for (int round = 0; round < 12; ++round) {
    for (const auto shape : all_network_shapes) {
      const InvertNetwork p = make_step(random, shape, random_int(random, 2, 24));
      if (p.network.pairs.empty()) continue;
      CAPTURE(round);
      CAPTURE(static_cast<int>(shape));
      const NetworkScene scene = random_scene(random, p, 3, 13);
      compare(p, scene, run_network(backend, p, scene, 3, 13, solver), total);
    }
  }
  check_kinds(total);
}

}  // namespace outcrop::test
