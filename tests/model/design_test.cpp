// Shared design columns, and the geometry of a scene, against numbers worked out by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "model/design.hpp"
#include "model/geometry.hpp"
#include "tests/support/tolerance.hpp"

using namespace outcrop;
using model::DesignColumn;

namespace {

bool near(double a, double b, double tolerance) { return std::abs(a - b) < tolerance; }

}  // namespace

TEST_CASE("every year has 365.25 days, whatever the calendar says") {
  CHECK(model::decimal_year("20200101", 0) == 2020);
  CHECK(near(model::decimal_year("20201231", 0), 2020 + 365 / 365.25, 1e-9));
  CHECK(near(model::decimal_year("20210301", 43200), 2021 + (59 + 0.5) / 365.25, 1e-9));
  CHECK(near(model::decimal_year("20210301T1800", 43200), 2021 + (59 + 0.75) / 365.25, 1e-9));
  CHECK_THROWS_AS(model::decimal_year("2021-03-01", 0), Error);
}

TEST_CASE("columns come in order and are rounded to float32") {
  const std::vector<std::string> dates{"20200101", "20200401", "20210101"};
  const auto columns = model::design_columns(dates, 0, {2, {1.0}, {"20200401", "20200402"}});
  REQUIRE(columns.size() == 7);
  CHECK(columns[0].name == "constant");
  CHECK(columns[0].value == std::vector<double>{1, 1, 1});
  const double tau = static_cast<double>(static_cast<float>(91 / 365.25));
  CHECK(columns[1].value[1] == tau);
  CHECK(columns[1].value[2] == 1);
  CHECK(near(columns[2].value[1], tau * tau / 2, 1e-8));
  CHECK(near(columns[3].value[1], std::cos(2 * std::numbers::pi * tau), 1e-7));
  CHECK(near(columns[4].value[1], std::sin(2 * std::numbers::pi * tau), 1e-7));
  CHECK(columns[5].value == std::vector<double>{0, 0, 1});
  CHECK(columns[6].value == std::vector<double>{0, 0, 1});
}

TEST_CASE("an acquisition on the day of a step is after it once the day has begun") {
  const std::vector<std::string> dates{"20200101", "20200401"};
  CHECK(model::design_columns(dates, 1, {1, {}, {"20200401"}})[2].value == std::vector<double>{0, 1});
  CHECK(model::design_columns(dates, 3600, {1, {}, {"20200401T0200"}})[2].value == std::vector<double>{0, 0});
}

TEST_CASE("high orders neither overflow nor lose their ratio") {
  const auto columns = model::design_columns({"19900101", "20300101"}, 0, {200, {}, {}});
  for (const DesignColumn& column : columns) CHECK(std::isfinite(column.value[1]));
}

TEST_CASE("a scene's angle is that of the attribute, else the mean of its edges") {
  model::SceneGeometry scene;
  scene.num_cols = 1001;
  CHECK_FALSE(model::incidence_deg(scene));
  CHECK_FALSE(model::slant_range_m(scene));
  scene.starting_range_m = 850000;
  scene.range_pixel_size_m = 20;
  CHECK(*model::slant_range_m(scene) == 860000);
  CHECK_FALSE(model::incidence_deg(scene));
  scene.height_m = 700000;
  scene.earth_radius_m = 6371000;
  const double mean = *model::incidence_deg(scene);
  scene.num_cols = 0;
  const double at_the_near_edge = *model::incidence_deg(scene);
  CHECK(at_the_near_edge > 30);
  CHECK(mean > at_the_near_edge);
  // Straight down the range is the height, and the angle 0.
  scene.starting_range_m = 700000;
  scene.range_pixel_size_m = 0;
  CHECK(near(*model::incidence_deg(scene), 0, 1e-3));
  scene.center_incidence_deg = 38;
  CHECK(*model::incidence_deg(scene) == 38);
}
