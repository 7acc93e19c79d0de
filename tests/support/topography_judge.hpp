// Random models of correct-topography, random scenes for them, and the comparison of a result with the reference.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "cpu/reference/correct_topography.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/tolerance.hpp"
#include "tests/support/topography_run.hpp"

namespace outcrop::test {

using cpu::reference::TopographyAnswer;
using cpu::reference::TopographyPixel;
using model::CorrectTopography;

inline constexpr double largest_sample_m = 0.2;

inline int whole(Random& random, int lowest, int highest) {
  return std::uniform_int_distribution(lowest, highest)(random);
}
inline double number(Random& random, double lowest, double highest) {
  return std::uniform_real_distribution(lowest, highest)(random);
}
inline bool chance(Random& random, double probability) { return number(random, 0, 1) < probability; }

/// Dates a few days apart, across ends of years.
inline std::vector<std::string> some_dates(Random& random, int count) {
  std::vector<std::string> dates;
  int day = whole(random, 0, 300);
  for (int i = 0; i < count; ++i) {
    const int year = 2018 + day / 336;
    const int month = day % 336 / 28 + 1;
    const int day_of_month = day % 28 + 1;
    dates.push_back(std::to_string(10000 * year + 100 * month + day_of_month));
    day += whole(random, 1, 24);
  }
  return dates;
}

inline CorrectTopography some_model(Random& random) {
  CorrectTopography p;
  p.dates = some_dates(random, chance(random, 0.15) ? whole(random, 2, 8) : whole(random, 9, 50));
  const int num_dates = static_cast<int>(p.dates.size());
  p.reference_date = whole(random, 0, num_dates - 1);
  p.excluded.assign(p.dates.size(), false);
  for (int n = whole(random, 0, 3); n > 0 && num_dates > 6; --n) {
    p.excluded[static_cast<std::size_t>(whole(random, 0, num_dates - 1))] = true;
  }
  model::DesignTerms terms;
  terms.polynomial_order = whole(random, 1, 5);
  if (chance(random, 0.3)) terms.periods_yr = {1.0, 0.5};
  for (int n = whole(random, 0, 4); n > 0; --n) {
    // Between, before and after the dates, and twice at the same place: dependent columns are ordinary.
    terms.steps.push_back(chance(random, 0.1)   ? "20100101"
                          : chance(random, 0.1) ? "20300101"
                                                : p.dates[static_cast<std::size_t>(whole(random, 0, num_dates - 1))]);
  }
  p.columns = model::design_columns(p.dates, number(random, 0, 80000), terms);
  p.phase_velocity = chance(random, 0.4);
  p.has_quality_mask = chance(random, 0.5);
  p.wants_residual = chance(random, 0.9);
  return p;
}

inline void choose_geometry(Random& random, CorrectTopography& p) {
  if (chance(random, 0.5)) {
    for (std::size_t d = 0; d < p.dates.size(); ++d) p.bperp_m.push_back(number(random, -200, 200));
    if (chance(random, 0.1)) std::fill(p.bperp_m.begin(), p.bperp_m.end(), 55.0);
    // In the span of the polynomial: only the least norm tells what is DEM error.
    if (chance(random, 0.1)) p.bperp_m = p.columns[1].value;
  }
  if (chance(random, 0.3)) p.incidence_deg = number(random, 20, 50);
  if (p.incidence_deg || chance(random, 0.3)) p.slant_range = model::RangeLine{8.1e5, chance(random, 0.5) ? 7.3 : 0.0};
}

/// Geometry and mask of pixel px, some of them spoilt, as some of its samples.
inline void add_geometry(Random& random, const CorrectTopography& p, TopographyScene& scene, std::size_t px) {
  const auto pixels = static_cast<std::size_t>(scene.pixels());
  auto& series = scene.planes["timeseries"];
  auto& bperp = scene.planes["bperp"];
  const auto spoil = [&](std::vector<float>& plane, float value) {
    plane[static_cast<std::size_t>(whole(random, 0, static_cast<int>(p.dates.size()) - 1)) * pixels + px] = value;
  };
  scene.planes["incidence"].push_back(static_cast<float>(number(random, 25, 45)));
  scene.planes["slant_range"].push_back(static_cast<float>(number(random, 7e5, 9e5)));
  scene.planes["quality_mask"].push_back(chance(random, 0.1) ? 0.0F : static_cast<float>(number(random, 0.1, 1)));
  if (chance(random, 0.03)) spoil(series, std::numeric_limits<float>::quiet_NaN());
  if (chance(random, 0.03)) spoil(series, std::numeric_limits<float>::infinity());
  if (chance(random, 0.03)) spoil(bperp, std::numeric_limits<float>::quiet_NaN());
  if (chance(random, 0.03)) spoil(bperp, -std::numeric_limits<float>::infinity());
  if (chance(random, 0.03)) scene.planes["incidence"].back() = std::numeric_limits<float>::quiet_NaN();
  if (chance(random, 0.03)) scene.planes["slant_range"].back() = 0;
  const bool empty = chance(random, 0.03);
  const bool flat = chance(random, 0.05);
  for (std::size_t d = 0; d < p.dates.size(); ++d) {
    if (empty) series[d * pixels + px] = 0;
    if (flat) bperp[d * pixels + px] = 33;
  }
}

inline TopographyScene some_scene(Random& random, const CorrectTopography& p) {
  TopographyScene scene;
  scene.rows = whole(random, 1, 9);
  scene.cols = whole(random, 1, 21);
  const auto pixels = static_cast<std::size_t>(scene.pixels());
  auto& series = scene.planes["timeseries"];
  auto& bperp = scene.planes["bperp"];
  for (std::size_t i = 0; i < p.dates.size() * pixels; ++i) {
    series.push_back(static_cast<float>(number(random, -largest_sample_m, largest_sample_m)));
    bperp.push_back(static_cast<float>(number(random, -200, 200)));
  }
  for (std::size_t px = 0; px < pixels; ++px) add_geometry(random, p, scene, px);
  return scene;
}

inline TopographyPixel pixel_of(const CorrectTopography& p, const TopographyScene& scene, std::int64_t px) {
  const auto pixels = static_cast<std::size_t>(scene.pixels());
  const auto i = static_cast<std::size_t>(px);
  TopographyPixel pixel;
  for (std::size_t d = 0; d < p.dates.size(); ++d) {
    pixel.series_m.push_back(scene.planes.at("timeseries")[d * pixels + i]);
    if (p.bperp_m.empty()) pixel.bperp_m.push_back(scene.planes.at("bperp")[d * pixels + i]);
  }
  pixel.incidence_deg = p.incidence_deg.value_or(static_cast<double>(scene.planes.at("incidence")[i]));
  pixel.slant_range_m =
      p.slant_range ? p.slant_range->first_m + p.slant_range->per_column_m * static_cast<double>(px % scene.cols)
                    : static_cast<double>(scene.planes.at("slant_range")[i]);
  pixel.quality = scene.planes.at("quality_mask")[i];
  return pixel;
}

/// Largest and mean square difference of many numbers, and the scale they are judged by.
struct Difference {
  double largest = 0;
  double squares = 0;
  double scale = 0;  ///< at first the least there is: an exact fit leaves nothing but rounding
  std::int64_t count = 0;

  void add(double ours, double reference) {
    const double error = std::abs(ours - reference);
    largest = std::max(largest, std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
    squares += error * error;
    scale = std::max(scale, std::abs(reference));
    ++count;
  }

  void check(const std::string& name) const {
    CAPTURE(name);
    CAPTURE(scale);
    CHECK(std::sqrt(squares / static_cast<double>(std::max<std::int64_t>(count, 1))) <= series_rms * scale);
    CHECK(largest <= series_largest * scale);
  }
};

inline void compare_topography(const CorrectTopography& p, const TopographyScene& scene,
                               const TopographyResult& result) {
  Difference dem{0, 0, 1.0, 0};
  Difference corrected{0, 0, largest_sample_m, 0};
  Difference residual{0, 0, largest_sample_m, 0};
  const auto pixels = static_cast<std::size_t>(scene.pixels());
  for (std::size_t px = 0; px < pixels; ++px) {
    CAPTURE(px);
    const TopographyAnswer answer =
        cpu::reference::correct_topography(p, pixel_of(p, scene, static_cast<std::int64_t>(px)));
    CHECK(result.status[px] == static_cast<std::uint8_t>(answer.status));
    dem.add(static_cast<double>(result.dem_error[px]), answer.dem_error_m);
    for (std::size_t d = 0; d < p.dates.size(); ++d) {
      corrected.add(static_cast<double>(result.corrected[d * pixels + px]), answer.corrected_m[d]);
      if (!p.wants_residual) continue;
      residual.add(static_cast<double>(result.residual[d * pixels + px]), answer.residual_m[d]);
    }
  }
  dem.check("DEM error");
  corrected.check("corrected series");
  residual.check("residual");
}

}  // namespace outcrop::test
