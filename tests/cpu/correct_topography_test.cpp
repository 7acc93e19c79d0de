// correct-topography on a small scene whose DEM error is known by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/backend_under_test.hpp"
#include "tests/support/tolerance.hpp"
#include "tests/support/topography_run.hpp"

using namespace outcrop;
using model::CorrectTopography;
using test::TopographyResult;
using test::TopographyScene;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr double range_m = 850000;
constexpr double angle_deg = 38;
constexpr double dem_m = 20;
const std::vector<double> bperp_m{0, 80, -60, 120, -30, 45, -110, 70, -15, 140, -90, 25};
const std::vector<std::string> dates{"20200101", "20200125", "20200218", "20200313", "20200406", "20200430",
                                     "20200524", "20200617", "20200711", "20200804", "20200828", "20200921"};
constexpr double dem_tolerance_m = 1e-3;  // float32 samples of 0.03 m hold a DEM error of 20 m to about 1e-4

CorrectTopography scene_model() {
  CorrectTopography p;
  p.dates = dates;
  p.excluded.assign(dates.size(), false);
  p.columns = model::design_columns(dates, 0, {});
  p.bperp_m = bperp_m;
  p.incidence_deg = angle_deg;
  p.slant_range = model::RangeLine{range_m, 0};
  return p;
}

double trend_m(std::size_t date) { return 0.03 * 24 * static_cast<double>(date) / 365.25; }

/// Steady motion and what 20 m of DEM error add.
std::vector<float> signal() {
  std::vector<float> series;
  const double lever = range_m * std::sin(angle_deg * std::numbers::pi / 180);
  for (std::size_t d = 0; d < dates.size(); ++d) {
    series.push_back(static_cast<float>(trend_m(d) + dem_m * bperp_m[d] / lever));
  }
  return series;
}

TopographyScene scene_of(const std::vector<std::vector<float>>& pixels) {
  TopographyScene scene;
  scene.cols = static_cast<std::int64_t>(pixels.size());
  for (std::size_t d = 0; d < dates.size(); ++d) {
    for (const auto& series : pixels) scene.planes["timeseries"].push_back(series[d]);
  }
  return scene;
}

TopographyResult run(const CorrectTopography& p, const TopographyScene& scene) {
  const SerialFor serial;
  return test::run_topography(*test::backend_under_test(serial), p, scene, scene.rows, scene.cols);
}

void check_signal(const TopographyResult& result, std::size_t px) {
  CAPTURE(px);
  const std::size_t pixels = result.dem_error.size();
  CHECK(std::abs(static_cast<double>(result.dem_error[px]) - dem_m) < dem_tolerance_m);
  for (std::size_t d = 0; d < dates.size(); ++d) {
    CHECK(std::abs(static_cast<double>(result.corrected[d * pixels + px]) - trend_m(d)) < test::six_decimals);
    CHECK(std::abs(static_cast<double>(result.residual[d * pixels + px])) < test::six_decimals);
  }
  CHECK(result.status[px] == static_cast<std::uint8_t>(PixelStatus::ok));
}

void check_nothing(const TopographyResult& result, std::size_t px, PixelStatus status) {
  CAPTURE(px);
  const std::size_t pixels = result.dem_error.size();
  CHECK(result.dem_error[px] == 0);
  for (std::size_t d = 0; d < dates.size(); ++d) {
    CHECK(result.corrected[d * pixels + px] == 0);
    CHECK(result.residual[d * pixels + px] == 0);
  }
  CHECK(result.status[px] == static_cast<std::uint8_t>(status));
}

}  // namespace

TEST_CASE("the DEM error is found whatever form the geometry has") {
  CorrectTopography p = scene_model();
  TopographyScene scene = scene_of({signal(), signal(), signal()});
  check_signal(run(p, scene), 1);
  p.incidence_deg.reset();
  scene.planes["incidence"].assign(3, static_cast<float>(angle_deg));
  check_signal(run(p, scene), 2);
  p.slant_range.reset();
  scene.planes["slant_range"].assign(3, static_cast<float>(range_m));
  check_signal(run(p, scene), 0);
  p.bperp_m.clear();
  for (const double baseline : bperp_m) {
    for (int px = 0; px < 3; ++px) scene.planes["bperp"].push_back(static_cast<float>(baseline + 40 + 7 * px));
  }
  for (std::size_t px = 0; px < 3; ++px) check_signal(run(p, scene), px);
}

TEST_CASE("the reference date is of no account for the DEM error") {
  CorrectTopography p = scene_model();
  p.reference_date = 6;
  const TopographyResult result = run(p, scene_of({signal()}));
  CHECK(std::abs(static_cast<double>(result.dem_error[0]) - dem_m) < dem_tolerance_m);
  CHECK(result.corrected[6] == signal()[6]);
}

TEST_CASE("a date that is left out does not pull at the fit, and is corrected all the same") {
  constexpr double jump_m = 0.3;
  auto series = signal();
  series[3] += static_cast<float>(jump_m);
  for (const bool velocity : {false, true}) {
    CAPTURE(velocity);
    CorrectTopography p = scene_model();
    p.phase_velocity = velocity;
    const TopographyResult spoiled = run(p, scene_of({series}));
    CHECK(std::abs(static_cast<double>(spoiled.dem_error[0]) - (velocity ? 235.48 : 250.44)) < 0.01);
    p.excluded[3] = true;
    const TopographyResult result = run(p, scene_of({series}));
    CHECK(std::abs(static_cast<double>(result.dem_error[0]) - dem_m) < dem_tolerance_m);
    CHECK(std::abs(static_cast<double>(result.residual[3]) - jump_m) < test::six_decimals);
  }
}

TEST_CASE("pixels that cannot be fitted are 0 and disturb no other") {
  CorrectTopography p = scene_model();
  p.incidence_deg.reset();
  p.slant_range.reset();
  p.has_quality_mask = true;
  auto cut = signal();
  cut[5] = not_a_number;
  auto endless = signal();
  endless[7] = std::numeric_limits<float>::infinity();
  TopographyScene scene =
      scene_of({std::vector<float>(12, 0.0F), signal(), cut, signal(), endless, signal(), signal()});
  scene.planes["incidence"] = {38, 38, 38, 38, 38, not_a_number, 38};
  scene.planes["slant_range"] = {850000, 850000, 850000, 0, 850000, 850000, 850000};
  scene.planes["quality_mask"] = {1, not_a_number, 1, 1, 1, 1, 0};
  const TopographyResult result = run(p, scene);
  check_nothing(result, 0, PixelStatus::no_data);
  check_signal(result, 1);
  check_nothing(result, 2, PixelStatus::no_data);
  check_nothing(result, 3, PixelStatus::bad_geometry);
  check_nothing(result, 4, PixelStatus::no_data);
  check_nothing(result, 5, PixelStatus::bad_geometry);
  check_nothing(result, 6, PixelStatus::masked);
  CHECK(result.tally.deviations[model::infinite_value] == 1);
  CHECK(result.tally[PixelStatus::bad_geometry] == 2);
}

TEST_CASE("baselines that are all the same give no DEM error and leave the series as it is") {
  CorrectTopography p = scene_model();
  p.bperp_m.assign(12, 17.0);
  TopographyScene scene = scene_of({signal()});
  TopographyResult result = run(p, scene);
  CHECK(result.dem_error[0] == 0);
  CHECK(result.corrected == signal());
  CHECK(result.status[0] == static_cast<std::uint8_t>(PixelStatus::min_norm));
  CHECK(result.tally.deviations[model::no_baseline] == 1);
  p.bperp_m.clear();
  scene.planes["bperp"].assign(12, 17.0F);
  CHECK(run(p, scene) == result);
}

TEST_CASE("a series whose mean is 0 is data, unless MintPy is to be matched") {
  CorrectTopography p = scene_model();
  auto series = signal();
  series.assign(12, 0.0F);
  series[2] = 0.25F;
  series[3] = -0.25F;
  TopographyResult result = run(p, scene_of({series}));
  CHECK(result.dem_error[0] != 0);
  CHECK(result.tally.deviations[model::zero_mean] == 1);
  p.empty_by_mean = true;
  result = run(p, scene_of({series}));
  check_nothing(result, 0, PixelStatus::no_data);
  CHECK(result.tally.deviations[model::zero_mean] == 1);
}

TEST_CASE("dependent columns have the answer of least norm") {
  CorrectTopography p = scene_model();
  model::DesignTerms terms;
  terms.steps = {"20200320", "20200325", "20190101"};  // two between the same dates, one before all
  p.columns = model::design_columns(dates, 0, terms);
  const TopographyResult result = run(p, scene_of({signal()}));
  CHECK(std::abs(static_cast<double>(result.dem_error[0]) - dem_m) < dem_tolerance_m);
  CHECK(result.status[0] == static_cast<std::uint8_t>(PixelStatus::min_norm));
  CHECK(result.tally.deviations[model::dependent_columns] == 1);
}
