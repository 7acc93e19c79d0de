// Networks from pairs of dates, their islands, and dates from pairs.
#include "model/network.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"

using namespace outcrop;
using model::Pair;

TEST_CASE("dates are sorted and pairs are kept as they are stored") {
  const model::Network network =
      model::make_network({{"20200125", "20200113"}, {"20200101", "20200113"}, {"20200101", "20200113"}});
  CHECK(network.dates == std::vector<std::string>{"20200101", "20200113", "20200125"});
  CHECK(network.days == std::vector<double>{0, 12, 24});
  CHECK(network.pairs == std::vector<Pair>{{2, 1}, {0, 1}, {0, 1}});
}

TEST_CASE("dates with time of day differ by fractions of a day") {
  const model::Network network = model::make_network(
      {{"20200101T0600", "20200101T1800"}, {"20200101T1800", "20200102T0600"}, {"20200101T0600", "20200102T0600"}});
  CHECK(network.days == std::vector<double>{0, 0.5, 1});
  const std::vector<float> steps = model::date_steps_yr(network);
  CHECK(steps == std::vector<float>{0.5F / 365.25F, 1.0F / 365.25F - 0.5F / 365.25F});
}

TEST_CASE("years are float32 numbers at every step") {
  const model::Network network = model::make_network({{"20000101", "20200101"}, {"20200101", "20200113"}});
  const float twenty_years = 7305.0F / 365.25F;
  CHECK(model::date_steps_yr(network) == std::vector<float>{twenty_years, 7317.0F / 365.25F - twenty_years});
}

TEST_CASE("networks that make no sense are refused") {
  CHECK_THROWS_AS(model::make_network({}), Error);
  CHECK_THROWS_WITH_AS(model::make_network({{"20200101", "20200101"}}),
                       "a pair joins the date 20200101 with itself; leave it out", Error);
  CHECK_THROWS_AS(model::make_network({{"20200101", "20200102T0600"}}), Error);
  CHECK_THROWS_AS(model::make_network({{"20200101", "200102"}}), Error);
  CHECK_THROWS_WITH_AS(
      model::make_network({{"19900101T000000", "20200101T000000"}, {"19900101T000000", "20200101T000001"}}),
      "dates 20200101T000000 and 20200101T000001 are too close to be told apart in years since "
      "19900101T000000",
      Error);
}

TEST_CASE("islands are numbered by their first dates") {
  model::Network network;
  network.dates = {"a", "b", "c", "d", "e", "f"};
  network.pairs = {{5, 3}, {2, 0}, {3, 1}};
  CHECK(model::islands(network) == std::vector<int>{0, 1, 0, 1, 2, 1});
}

TEST_CASE("baselines of dates follow from those of pairs, whatever the order") {
  const model::Network network = model::make_network(
      {{"20200113", "20200101"}, {"20200113", "20200125"}, {"20200101", "20200125"}, {"20200206", "20200125"}});
  // b = 0, 30, -10, 55
  const std::vector<double> b = model::dates_from_pairs(network, {-30, -40, -10, -65});
  CHECK(b[0] == 0);
  CHECK(b[1] == doctest::Approx(30));
  CHECK(b[2] == doctest::Approx(-10));
  CHECK(b[3] == doctest::Approx(55));
}

TEST_CASE("baselines of an island that is not joined to the first date have the mean 0") {
  const model::Network network =
      model::make_network({{"20200101", "20200113"}, {"20200125", "20200206"}, {"20200206", "20200218"}});
  const std::vector<double> b = model::dates_from_pairs(network, {7, 30, 60});  // 0, 30, 90 less their mean 40
  const double expected[] = {0, 7, -40, -10, 50};
  for (std::size_t n = 0; n < b.size(); ++n) CHECK(b[n] == doctest::Approx(expected[n]));
}

TEST_CASE("contradicting baselines are balanced by least squares") {
  const model::Network network =
      model::make_network({{"20200101", "20200113"}, {"20200113", "20200125"}, {"20200101", "20200125"}});
  const std::vector<double> b = model::dates_from_pairs(network, {1, 1, 5});  // 3 too much, spread over three pairs
  CHECK(b[1] == doctest::Approx(2));
  CHECK(b[2] == doctest::Approx(4));
}

TEST_CASE("a later date that all pairs begin with is found") {
  const model::Network shared =
      model::make_network({{"20200113", "20200101"}, {"20200113", "20200125"}, {"20200113", "20200206"}});
  CHECK(model::shared_later_date(shared) == 1);
  CHECK_FALSE(model::shared_later_date(model::make_network({{"20200101", "20200113"}, {"20200101", "20200125"}})));
  CHECK_FALSE(model::shared_later_date(model::make_network({{"20200113", "20200101"}, {"20200101", "20200125"}})));
  CHECK(model::order_without(4, 2) == std::vector<int>{2, 0, 1, 3});
  CHECK(model::order_without(3, 0) == std::vector<int>{0, 1, 2});
}

TEST_CASE("values of dates are relative to the date asked for") {
  const model::Network network = model::make_network({{"20200113", "20200101"}, {"20200113", "20200125"}});
  CHECK(model::dates_from_pairs(network, {-30, 50}) == std::vector<double>{0, 30, 80});
  CHECK(model::dates_from_pairs(network, {-30, 50}, 1) == std::vector<double>{-30, 0, 50});
}
