// Ranges, ticks, sizes on the ground, and which dates are shown.
#include "tools/outcrop/quicklook/scale.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tools/outcrop/quicklook/ground.hpp"
#include "tools/outcrop/quicklook/wishes.hpp"

using namespace outcrop;
using namespace outcrop::tools;

namespace {

io::Attributes attributes(std::initializer_list<std::pair<const char*, const char*>> items) {
  io::Attributes a;
  for (const auto& [name, value] : items) a.set(name, value);
  return a;
}

std::vector<std::int64_t> layers(std::int64_t num_dates, std::int64_t reference) {
  const std::vector<std::string> dates(static_cast<std::size_t>(num_dates), "20200131");
  std::vector<std::int64_t> shown;
  for (const auto& map : series_maps("p", dates, reference, "f", "t", "")) shown.push_back(map.layer);
  return shown;
}

}  // namespace

TEST_CASE("a percentile is one of the values") {
  std::vector<float> values;
  for (int i = 100; i >= 0; --i) values.push_back(static_cast<float>(i));
  CHECK(percentile(values, 0.02) == 2);
  CHECK(percentile(values, 0.98) == 98);
  CHECK(percentile(values, 0) == 0);
  CHECK(percentile(values, 1) == 100);
  std::vector<float> one{7};
  CHECK(percentile(one, 0.02) == 7);
  std::vector<float> none;
  CHECK(percentile(none, 0.5) == 0);
}

TEST_CASE("ticks are round numbers within the range") {
  CHECK(ticks(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  for (const auto& [low, high] : {std::pair{-3.37, 3.37}, {0.0, 1e-7}, {95.2, 99.9}, {-1e6, 3e6}, {-0.001, 0.001}}) {
    const auto places = ticks(low, high, 5);
    CHECK(places.size() >= 3);
    CHECK(places.size() <= 11);
    CHECK(places.front() >= low - 1e-9 * (high - low));
    CHECK(places.back() <= high + 1e-9 * (high - low));
  }
  CHECK(ticks(110, 112, 5, 1) == std::vector<double>{110, 111, 112});
  CHECK_FALSE(std::signbit(ticks(0, 14, 5).front()));
  CHECK(round_below(4.9) == 2);
  CHECK(round_below(5) == 5);
  CHECK(round_below(0.0999) == doctest::Approx(0.05));
  CHECK(decimals_for(5) == 0);
  CHECK(decimals_for(0.2) == 1);
  CHECK(decimals_for(0.001) == 3);
}

TEST_CASE("lengths are in the unit that gives short numbers") {
  CHECK(length_scale(Colouring::diverging, -0.004, 0.004).unit == "mm");
  CHECK(length_scale(Colouring::diverging, -0.004, 0.004).highest == doctest::Approx(4));
  CHECK(length_scale(Colouring::diverging, -0.25, 0.25).unit == "cm");
  CHECK(length_scale(Colouring::diverging, -12, 12).unit == "m");
}

TEST_CASE("three dates are shown, and never the reference date when there is another") {
  CHECK(layers(1, 0) == std::vector<std::int64_t>{0});
  CHECK(layers(2, 0) == std::vector<std::int64_t>{1});
  CHECK(layers(3, 0) == std::vector<std::int64_t>{1, 2});
  CHECK(layers(4, 0) == std::vector<std::int64_t>{1, 2, 3});
  CHECK(layers(98, 0) == std::vector<std::int64_t>{33, 65, 97});
  CHECK(layers(10, 9) == std::vector<std::int64_t>{2, 5, 8});
  CHECK(date_text("20200131T1200") == "2020-01-31");
  CHECK(date_text("somewhen") == "somewhen");
}

TEST_CASE("pixel sizes come from the attributes of radar and of map geometry") {
  const auto radar = ground_of(attributes({{"AZIMUTH_PIXEL_SIZE", "41.88"}, {"RANGE_PIXEL_SIZE", "18.6"}}), 10, 10);
  CHECK(pixel_size_text(radar) == "41.9 m azimuth x 18.6 m slant range");
  const auto degrees = ground_of(
      attributes({{"X_STEP", "0.001"}, {"Y_STEP", "-0.001"}, {"Y_FIRST", "60.05"}, {"X_UNIT", "degrees"}}), 100, 100);
  CHECK(*degrees.row_m == doctest::Approx(111.32));
  CHECK(*degrees.col_m == doctest::Approx(55.66).epsilon(1e-3));
  const auto metres = ground_of(attributes({{"X_STEP", "30"}, {"Y_STEP", "-30"}, {"X_UNIT", "meters"}}), 100, 100);
  CHECK(scale_bar(metres, 40).label == "1 km east-west");
  CHECK(scale_bar(metres, 40).cols == doctest::Approx(1000.0 / 30));
}

TEST_CASE("attributes that make no sense leave a map without scale or reference, not without map") {
  const auto odd = ground_of(
      attributes({{"AZIMUTH_PIXEL_SIZE", "nan"}, {"RANGE_PIXEL_SIZE", "<script>"}, {"REF_Y", "10"}, {"REF_X", "3"}}),
      10, 10);
  CHECK_FALSE(odd.reference);
  CHECK(pixel_size_text(odd).empty());
  CHECK(scale_bar(odd, 1).label == "1 column");
  CHECK(scale_bar(odd, 333).label == "200 columns");
  const auto polar = ground_of(attributes({{"X_STEP", "1"}, {"Y_STEP", "-1"}, {"Y_FIRST", "90"}}), 1, 10);
  CHECK_FALSE(polar.col_m);
}
