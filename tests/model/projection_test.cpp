// The lookup table, the storage modifier and the six-step projection.
#include "model/cost/projection.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "model/cost/published.hpp"
#include "tests/support/error_text.hpp"

using namespace outcrop;
using namespace outcrop::model;

namespace {

constexpr SpeedupCoefficients quoted{40e-6, 0.3e-9, 3.0, 0.0, 12e-9, 1e-12};
constexpr double correct_topography_flops = 98.0 * 4 * 4;
constexpr double correct_topography_bytes = 98.0 * 4 * 4;

bool within(double value, double expected, double share) { return std::abs(value / expected - 1) <= share; }

}  // namespace

TEST_CASE("the lookup table has a line for every number of pixels") {
  CHECK(lookup(1).highest_sigma == 2);
  CHECK(lookup(99999).highest_sigma == 2);
  CHECK(lookup(100000).lowest_sigma == 2);
  CHECK(lookup(326000).highest_sigma == 4);
  CHECK(lookup(3400000).highest_sigma == 10);
  CHECK(lookup(1000000000000).lowest_sigma == 10);
  for (std::size_t i = 1; i < lookup_table().size(); ++i) {
    CHECK(lookup_table()[i].from_pixels == lookup_table()[i - 1].below_pixels);
  }
  CHECK(test::contains(test::error_of([] { lookup(0); }), "was given 0"));
}

TEST_CASE("published: SanFranBay lies outside its own line of the lookup table, the other scenes inside") {
  const auto inside = [](std::int64_t pixels, double sigma) {
    const auto& range = lookup(pixels);
    return sigma >= range.lowest_sigma && sigma <= range.highest_sigma;
  };
  CHECK(inside(260000, 2.43));
  CHECK(inside(3400000, 6.15));
  CHECK_FALSE(inside(326000, 1.76));
  CHECK_FALSE(inside(226000, 2.53));
  CHECK_FALSE(inside(270000, 2.56));
}

TEST_CASE("published: the ends of the lookup table do not follow from the formula") {
  CHECK(within(sigma(quoted, {100000, 98, 4}), 1.17, 0.01));     // the table: 2
  CHECK(within(sigma(quoted, {300000, 98, 4}), 2.76, 0.01));     // 2.5
  CHECK(within(sigma(quoted, {1000000, 98, 4}), 5.25, 0.01));    // 4
  CHECK(within(sigma(quoted, {10000000, 98, 4}), 8.09, 0.01));   // 10
  CHECK(within(sigma(quoted, {1000000000, 98, 4}), 8.6, 0.01));  // 10
}

TEST_CASE("published: other storage multiplies sigma by 0.38, of which the host's share is no effect of storage") {
  const auto nas = make_storage_modifier("NAS", 11.15, 4.36, 7.45, 7.64);
  CHECK(within(nas.device_factor, 1.752, 0.001));
  CHECK(within(nas.host_factor, 0.668, 0.001));
  CHECK(within(2.56 * nas.sigma_factor(), 0.97, 0.01));
  // Had the host taken as long as on the SSD, the device would still have won.
  CHECK(within(11.15 / 7.64, 1.46, 0.01));
  const auto there = on_storage(quoted, nas);
  const Workload work{270000, 98, 6};
  CHECK(sigma(there, work) == doctest::Approx(sigma(quoted, work) * nas.sigma_factor()));
  CHECK(host_time_s(there, work) == doctest::Approx(host_time_s(quoted, work) * nas.host_factor));
}

TEST_CASE("a storage needs four positive times") {
  for (const double wrong : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(test::contains(test::error_of([&] { make_storage_modifier("tape", 1, 1, wrong, 1); }), "'tape'"));
  }
}

TEST_CASE("the six steps for correct-topography give what the formula gives") {
  const Projection p = project(quoted, {correct_topography_flops, correct_topography_bytes, {}});
  const Workload work{1, 98, 4};
  CHECK(p.elements_per_pixel == work.elements_per_pixel());
  CHECK(p.asymptote == doctest::Approx(asymptote(quoted, 4)));
  CHECK(p.sigma_infinity == doctest::Approx(sigma_infinity(quoted, work)));
  CHECK(p.crossover_pixels == doctest::Approx(75000));
  CHECK(p.sigma_at_crossover == doctest::Approx(sigma(quoted, {75000, 98, 4})));
  CHECK(p.break_even_pixels.value() == doctest::Approx(break_even_pixels(quoted, work).value()));
  CHECK(p.worth_it);
}

TEST_CASE("published: the inversion's 36.4 follows neither from the formula nor from the lift of 24 on 10") {
  // 475 x 97 elements and 475 x 97^2 flops: the formula gives 2.5, the lift 243.
  const Projection p = project(quoted, {475.0 * 97 * 97, 475.0 * 97 * bytes_per_element, {}});
  CHECK(within(p.sigma_infinity, 2.5, 0.01));
  CHECK(within(p.asymptote, 2.4, 0.02));
  CHECK(within(10 * 97.0 / 4, 242.5, 1e-9));
  CHECK(within(475.0 * 97 * 97, 4.47e6, 0.001));
  // With 31 ns a flop the host would need five and a half days for 3.4 million pixels.
  CHECK(within(3.4e6 * 31e-9 * 475 * 97 * 97 / 86400, 5.45, 0.01));
  // 0.3 ns a flop are 1.34 ms a pixel; so 36.4 leaves the device 38 us, 0.8 ns an element instead of 12.
  CHECK(within((40e-6 + 0.3e-9 * 475 * 97 * 97) / 36.4 / (475 * 97), 0.82e-9, 0.01));
}

TEST_CASE("a step that is all traffic is not worth a port") {
  const Projection p = project(quoted, {100, 1e6, 0.0});
  CHECK(p.sigma_infinity < 1);
  CHECK_FALSE(p.worth_it);
  CHECK_FALSE(p.break_even_pixels.has_value());
}

TEST_CASE("the factor that sigma has to grow by decides") {
  const StepDescription step{correct_topography_flops, correct_topography_bytes, {}};
  CHECK(project(quoted, step, 9).worth_it);
  CHECK_FALSE(project(quoted, step, 10).worth_it);
}

TEST_CASE("descriptions that make no sense are refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto error_of = [](const StepDescription& step, double growth = 3) {
    return test::error_of([&] { project(quoted, step, growth); });
  };
  CHECK(test::contains(error_of({0, 1, {}}), "flops a pixel are 0"));
  CHECK(test::contains(error_of({nan, 1, {}}), "flops"));
  CHECK(test::contains(error_of({1, -1, {}}), "bytes a pixel are -1"));
  CHECK(test::contains(error_of({1, 1, -1.0}), "alpha"));
  CHECK(test::contains(error_of({1, 1, {}}, 0), "factor"));
}
