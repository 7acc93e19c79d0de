// Coherence to weight, against tabulated phase variances and by hand.
#include "model/weight.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "model/pixel/weight.hpp"
#include "tests/support/tolerance.hpp"

using namespace outcrop;
using model::WeightFunction;

namespace {

double relative(double found, double expected) { return std::abs(found - expected) / expected; }

/// The weight that a weight of float32 becomes through its float32 root.
double through_root(double weight) {
  const auto root = static_cast<double>(std::sqrt(static_cast<float>(weight)));
  return root * root;
}

}  // namespace

TEST_CASE("phase variances are those of the distributed scatterer") {
  struct Entry {
    int looks;
    int bin;
    double variance;
  };
  const Entry entries[] = {
      {1, 0, 3.3149263949375776},        {1, 9, 3.171933639216256},         {1, 100, 1.7883493310306233},
      {1, 160, 0.83575485142876638},     {1, 199, 0.020746373407945485},    {2, 0, 3.310925250576489},
      {2, 9, 3.0971622844171032},        {2, 100, 1.2199154259496654},      {2, 160, 0.34290108952060733},
      {2, 199, 0.0025375425746647926},   {5, 0, 3.3032392963841715},        {5, 9, 2.9551876163763073},
      {5, 100, 0.53659159760020114},     {5, 160, 0.078603810967253107},    {5, 199, 0.00062922420430795484},
      {14, 0, 3.289466362979784},        {14, 9, 2.7070920355166499},       {14, 100, 0.13787229837711354},
      {14, 160, 0.021679659671054841},   {14, 199, 0.00024878123385231143}, {32, 0, 3.2721198990457618},
      {32, 9, 2.4082178907798584},       {32, 100, 0.050309064701561095},   {32, 160, 0.0089551335241303959},
      {32, 199, 0.00014549048209435141}, {80, 0, 3.2425077679105265},       {80, 9, 1.9398799662614123},
      {80, 100, 0.019016113071237861},   {80, 160, 0.0034935695586844704},  {80, 199, 2.2515693517101247e-05},
  };
  for (const Entry& e : entries) {
    CAPTURE(e.looks);
    CAPTURE(e.bin);
    CHECK(relative(model::phase_variance(e.looks)[static_cast<std::size_t>(e.bin)], e.variance) <
          test::variance_relative);
  }
}

TEST_CASE("looks are limited to 1 .. 80 for the phase variance") {
  CHECK(model::phase_variance(0) == model::phase_variance(1));
  CHECK(model::phase_variance(5000) == model::phase_variance(80));
  for (const int looks : {1, 7, 80}) {
    for (const double v : model::phase_variance(looks)) CHECK((std::isfinite(v) && v > 0));
  }
}

TEST_CASE("the variance bin of every float32 coherence is that of the quotient") {
  std::array<float, model::num_coherence_bins> numbers{};
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  const model::pixel::WeightView view{WeightFunction::variance, numbers.data(), 1};
  const double width = 0.005;
  const double lowest = 0.005 - 0.0025;
  const double highest = 1.0 - 0.0025;
  std::int64_t num_different = 0;
  for (float c = 0.05F; c <= 1.01F; c = std::nextafter(c, 2.0F)) {
    const double quotient = (std::min(static_cast<double>(c), highest) - lowest) / width;
    const float bin = model::pixel::root_weight<double>(view, c);
    if (static_cast<int>(bin) != static_cast<int>(quotient)) ++num_different;
  }
  CHECK(num_different == 0);
  CHECK(model::pixel::root_weight<double>(view, 0.0F) == 9);
  CHECK(model::pixel::root_weight<double>(view, 3e38F) == 199);
  CHECK(model::pixel::root_weight<double>(view, std::numeric_limits<float>::quiet_NaN()) == 9);
}

TEST_CASE("the variance bin is that of the truncated quotient, not the nearest") {
  const model::Weights weights(WeightFunction::variance, 14);
  const auto variance = model::phase_variance(14);
  const auto bin = [](float c) { return static_cast<std::size_t>((static_cast<double>(c) - 0.0025) / 0.005); };
  for (const float c : {0.05F, 0.0525F, 0.1F, 0.3F, 0.5024F, 0.5025F, 0.50251F, 0.7F, 0.9974F}) {
    CAPTURE(c);
    CHECK(weights(c) == through_root(1 / variance[bin(c)]));
  }
  CHECK(weights(0.9975F) == weights(1.0F));
  CHECK(weights(1.0F) == through_root(1 / variance[199]));
  CHECK(weights(3.0F) == weights(1.0F));
}

TEST_CASE("every function takes NaN and small coherence as 0.05") {
  for (const auto function : {WeightFunction::coherence, WeightFunction::fisher, WeightFunction::variance}) {
    const model::Weights weights(function, 10);
    for (const float c : {std::numeric_limits<float>::quiet_NaN(), 0.0F, -2.0F, 0.049F}) {
      CHECK(weights(c) == weights(0.05F));
    }
    CHECK(weights(0.06F) > weights(0.05F));
  }
}

TEST_CASE("coherence and Fisher information by hand") {
  const model::Weights coherence(WeightFunction::coherence, 10);
  CHECK(coherence(0.25F) == 0.25);
  CHECK(coherence(0.8F) == through_root(static_cast<double>(0.8F)));
  CHECK(coherence(2.25F) == 2.25);
  const model::Weights fisher(WeightFunction::fisher, 100);
  CHECK(fisher(0.5F) == through_root(200 * 0.25 / 0.75));
  CHECK(fisher(1.0F) == through_root(200 * (0.999 * 0.999) / (1 - 0.999 * 0.999)));
  CHECK(model::Weights(WeightFunction::none, 10)(0.3F) == 1);
}

TEST_CASE("standard deviations are limited below, and unknown ones count next to nothing") {
  const model::Weights weights(WeightFunction::deviation, 1);
  CHECK(weights(0.5F) == 4);
  CHECK(weights(100.0F) == std::pow(static_cast<double>(1 / 100.0F), 2));
  const float least = 1 / 0.005F;
  for (const float deviation : {0.0F, -1.0F, 0.005F, 1e-30F, -std::numeric_limits<float>::infinity()}) {
    CHECK(weights(deviation) == std::pow(static_cast<double>(least), 2));
  }
  for (const float unknown : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    CHECK(weights(unknown) == weights(100.0F));
  }
  CHECK(weights(3e38F) > 0);
}
