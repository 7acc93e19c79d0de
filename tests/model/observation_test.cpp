// What counts as an observation: zeros, NaN, infinity, masks.
#include "model/pixel/observation.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <limits>

using namespace outcrop::model;

namespace {
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
}  // namespace

TEST_CASE("a stored zero stays no data, and a sample equal to the reference becomes no data") {
  CHECK(pixel::referenced(0.0F, 2.0F) == 0);
  CHECK(pixel::referenced(-0.0F, 2.0F) == 0);
  CHECK(pixel::referenced(2.0F, 2.0F) == 0);
  CHECK(pixel::referenced(3.0F, 2.0F) == 1);
  CHECK(pixel::referenced(0.1F, 0.0F) == 0.1F);
}

TEST_CASE("the subtraction is one of float32 numbers") {
  CHECK(pixel::referenced(16777216.0F, -1.0F) == 16777216.0F);
  CHECK(pixel::referenced(16777216.0F, 0.4F) == 16777216.0F);
}

TEST_CASE("zero, NaN and infinity are not usable") {
  CHECK(pixel::usable(1e-40F, false));
  CHECK(pixel::usable(-pixel::largest_sample, false));
  for (const float phase : {0.0F, -0.0F, not_a_number, infinity, -infinity}) CHECK_FALSE(pixel::usable(phase, false));
  CHECK_FALSE(pixel::usable(pixel::referenced(not_a_number, 1.0F), false));
  CHECK_FALSE(pixel::usable(pixel::referenced(1.0F, not_a_number), true));
}

TEST_CASE("infinity is told from NaN") {
  CHECK(pixel::is_infinite(infinity));
  CHECK(pixel::is_infinite(-infinity));
  CHECK_FALSE(pixel::is_infinite(not_a_number));
  CHECK_FALSE(pixel::is_infinite(pixel::largest_sample));
}

TEST_CASE("labels keep unless they are 0 or NaN") {
  CHECK(pixel::keeps_nonzero(3.0F));
  CHECK(pixel::keeps_nonzero(-1.0F));
  CHECK_FALSE(pixel::keeps_nonzero(0.0F));
  CHECK_FALSE(pixel::keeps_nonzero(not_a_number));
}

TEST_CASE("a threshold is a float32 number, and NaN is 0") {
  CHECK(pixel::keeps_at_least(0.4F, 0.4F));
  CHECK_FALSE(pixel::keeps_at_least(0.39999998F, 0.4F));
  CHECK_FALSE(pixel::keeps_at_least(not_a_number, 0.4F));
  CHECK(pixel::keeps_at_least(not_a_number, 0.0F));
}

TEST_CASE("zero is an observation where it is data") {
  CHECK(pixel::usable(0.0F, true));
  for (const float offset : {not_a_number, infinity, -infinity}) CHECK_FALSE(pixel::usable(offset, true));
}

TEST_CASE("a standard deviation keeps when small, or when the offset stands out from the median") {
  const pixel::DeviationLimits limits{0.1F, 0.5F};
  CHECK(pixel::keeps_deviation(1.0F, 0.1F, 1.0F, limits));
  CHECK(pixel::keeps_deviation(1.0F, not_a_number, 1.0F, limits));
  CHECK_FALSE(pixel::keeps_deviation(1.0F, 0.11F, 1.0F, limits));
  CHECK(pixel::keeps_deviation(-4.1F, 0.5F, 1.0F, limits));
  CHECK_FALSE(pixel::keeps_deviation(-3.9F, 0.5F, 1.0F, limits));
  CHECK_FALSE(pixel::keeps_deviation(99.0F, 0.51F, 1.0F, limits));
  CHECK_FALSE(pixel::keeps_deviation(99.0F, 0.2F, not_a_number, limits));
}
