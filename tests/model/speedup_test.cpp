// The published formula by hand, and the published numbers: those that follow from it and those that do not.
#include "model/cost/speedup.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/error_text.hpp"

using namespace outcrop;
using namespace outcrop::model;

namespace {

/// As quoted on the page. beta is "about a microsecond" there, and 0 in all its arithmetic.
constexpr SpeedupCoefficients quoted{40e-6, 0.3e-9, 3.0, 0.0, 12e-9, 1e-12};

struct Published {
  const char* scene;
  Workload work;
  double host_s;
  double device_s;
  double sigma;
  const char* regime;
};

constexpr Published kuju{"Kuju", {226000, 24, 4}, 9.14, 3.61, 2.53, "A"};
constexpr Published san_fran_sf{"SanFranSF", {260000, 114, 4}, 9.32, 3.84, 2.43, "A"};
constexpr Published fernandina{"Fernandina", {270000, 98, 6}, 11.15, 4.36, 2.56, "A"};
constexpr Published san_fran_bay{"SanFranBay", {326000, 333, 4}, 14.53, 8.23, 1.76, "B"};
constexpr Published galapagos{"Galapagos", {3400000, 98, 4}, 163.83, 26.66, 6.15, "C"};
constexpr Published scenes[] = {kuju, san_fran_sf, fernandina, san_fran_bay, galapagos};

bool within(double value, double expected, double share) { return std::abs(value / expected - 1) <= share; }

std::string letter(const Published& scene, double factor = much_greater) {
  return regime_letter(regime_of(quoted, scene.work, factor));
}

}  // namespace

TEST_CASE("the formula is the sum of its terms") {
  const SpeedupCoefficients c{2, 3, 5, 7, 11, 13};
  const Workload work{10, 4, 3};
  CHECK(work.flops_per_pixel() == 36);
  CHECK(work.elements_per_pixel() == 12);
  CHECK(host_time_s(c, work) == 10 * (2 + 3 * 36));
  CHECK(device_time_s(c, work) == 5 + 10 * (7 + 11 * 12) + 13 * 10 * 36);
  CHECK(sigma(c, work) == doctest::Approx(1100.0 / 6075));
  CHECK(sigma_infinity(c, work) == doctest::Approx(110.0 / 139));
  CHECK(asymptote(c, 3) == doctest::Approx(9.0 / 11));
  CHECK(crossover_pixels(c) == 2.5);
}

TEST_CASE("sigma goes to sigma_infinity as pixels grow, and that to gamma P / delta as dates grow") {
  SpeedupCoefficients c = quoted;
  c.epsilon_s = 0;
  CHECK(within(sigma(c, {1000000000000, 98, 4}), sigma_infinity(c, {1, 98, 4}), 1e-6));
  CHECK(within(sigma_infinity(c, {1, 1000000000000, 4}), asymptote(c, 4), 1e-6));
}

TEST_CASE("at break-even host and device take the same time") {
  const Workload shape{1, 98, 4};
  const double even = break_even_pixels(quoted, shape).value();
  const Workload at{static_cast<std::int64_t>(std::llround(even)), 98, 4};
  CHECK(within(host_time_s(quoted, at), device_time_s(quoted, at), 1e-4));
  CHECK_FALSE(break_even_pixels({1e-6, 0, 1, 2e-6, 0, 0}, shape).has_value());
  CHECK_FALSE(break_even_pixels({1e-6, 0, 0, 1e-6, 0, 0}, shape).has_value());
}

TEST_CASE("what the device does not pay for makes limits infinite") {
  CHECK(std::isinf(sigma_infinity({1, 1, 1, 0, 0, 0}, {1, 2, 3})));
  CHECK(std::isinf(asymptote({1, 1, 1, 1, 0, 0}, 4)));
  CHECK(std::isinf(crossover_pixels({0, 1, 1, 1, 1, 0})));
}

TEST_CASE("a billion pixels of a dense inversion do not overflow") {
  const Workload continent{1000000000, 1500, 299};
  CHECK(continent.flops_per_pixel() == 1500.0 * 299 * 299);
  CHECK(within(host_time_s(quoted, continent), 1e9 * (40e-6 + 0.3e-9 * 1500 * 299 * 299), 1e-12));
  const auto most = std::numeric_limits<std::int64_t>::max();
  CHECK(std::isfinite(sigma(quoted, {most, most, most})));
}

TEST_CASE("published: the measured sigma is the ratio of the measured times, to the digits given") {
  for (const auto& scene : scenes)
    CHECK_MESSAGE(std::abs(scene.host_s / scene.device_s - scene.sigma) < 0.01, scene.scene);
}

TEST_CASE("published: within the 30 % that the page claims, the quoted coefficients give every measured cell") {
  for (const auto& scene : scenes) {
    CHECK_MESSAGE(within(host_time_s(quoted, scene.work), scene.host_s, 0.3), scene.scene);
    CHECK_MESSAGE(within(device_time_s(quoted, scene.work), scene.device_s, 0.3), scene.scene);
    CHECK_MESSAGE(within(sigma(quoted, scene.work), scene.sigma, 0.3), scene.scene);
  }
}

TEST_CASE("published: within 10 % these cells follow from the formula") {
  for (const auto& scene : {kuju, fernandina, san_fran_bay})
    CHECK(within(host_time_s(quoted, scene.work), scene.host_s, 0.1));
  for (const auto& scene : {kuju, san_fran_bay}) CHECK(within(device_time_s(quoted, scene.work), scene.device_s, 0.1));
  for (const auto& scene : {kuju, san_fran_sf, san_fran_bay})
    CHECK(within(sigma(quoted, scene.work), scene.sigma, 0.1));
}

TEST_CASE("published: within 10 % these cells do not follow from the formula") {
  for (const auto& scene : {san_fran_sf, galapagos})
    CHECK_FALSE(within(host_time_s(quoted, scene.work), scene.host_s, 0.1));
  for (const auto& scene : {san_fran_sf, fernandina, galapagos}) {
    CHECK_FALSE(within(device_time_s(quoted, scene.work), scene.device_s, 0.1));
  }
  for (const auto& scene : {fernandina, galapagos}) CHECK_FALSE(within(sigma(quoted, scene.work), scene.sigma, 0.1));
}

TEST_CASE("published: the page's own predictions follow for three scenes, and for Galapagos they do not") {
  CHECK(within(sigma(quoted, kuju.work), 2.8, 0.01));
  CHECK(within(sigma(quoted, san_fran_sf.work), 2.4, 0.01));
  CHECK(within(sigma(quoted, san_fran_bay.work), 1.65, 0.01));
  // "152 / (3.0 + 16.0) = 8.0": the formula gives 137.6 s and 7.2.
  CHECK(within(device_time_s(quoted, galapagos.work), 19.0, 0.01));
  CHECK(within(host_time_s(quoted, galapagos.work), 137.6, 0.001));
  CHECK(within(sigma(quoted, galapagos.work), 7.24, 0.01));
  // The 152 s follow with a gamma of 3 ns, which is quoted nowhere.
  SpeedupCoefficients ten_times = quoted;
  ten_times.gamma_s = 3e-9;
  CHECK(within(host_time_s(ten_times, galapagos.work), 152, 0.001));
}

TEST_CASE("published: alpha and delta follow from the scenes they are read off, gamma and F do not") {
  CHECK(within(kuju.host_s / 226000, 40e-6, 0.02));
  CHECK(within((san_fran_bay.device_s - 3) / (326000.0 * 333 * 4), 12e-9, 0.01));
  // "164 s / 5.3e9 = 0.3 ns" is 31 ns, and alpha already explains 136 of the 164 s.
  CHECK(within(galapagos.host_s / (3.4e6 * galapagos.work.flops_per_pixel()), 31e-9, 0.01));
  CHECK(within((galapagos.host_s - 136) / (3.4e6 * galapagos.work.flops_per_pixel()), 5.2e-9, 0.01));
  CHECK(within(kuju.device_s - device_time_s({1, 1, 0, 0, 12e-9, 0}, kuju.work), 3.35, 0.001));
}

TEST_CASE("published: the asymptote of 10 follows from a gamma of 31 ns; the quoted one gives 0.1") {
  CHECK(within(asymptote(quoted, 4), 0.1, 1e-9));
  CHECK(within(asymptote({40e-6, 31e-9, 3, 0, 12e-9, 0}, 4), 10, 0.04));
  // What comes near 10 is the limit over pixels, at the dates of Galapagos.
  CHECK(within(sigma_infinity(quoted, galapagos.work), 8.6, 0.01));
}

TEST_CASE("published: the crossover of 75 thousand pixels follows, and sigma there is not 2 but about 0.9") {
  CHECK(crossover_pixels(quoted) == doctest::Approx(75000));
  CHECK(within(sigma(quoted, {75000, 98, 4}), 0.91, 0.01));
}

TEST_CASE("published: the labels A and B follow from the conditions, the label C from none") {
  for (const auto& scene : {kuju, san_fran_sf, fernandina, san_fran_bay})
    CHECK_MESSAGE(letter(scene) == scene.regime, scene.scene);
  for (const double factor : {1.0, 1.5, 10.0}) CHECK(letter(galapagos, factor) == "B");
  // Even with a gamma of 31 ns the flops of the host do not exceed its dispatch by the factor.
  CHECK(regime_of({40e-6, 31e-9, 3, 0, 12e-9, 0}, galapagos.work) == Regime::transition);
}

TEST_CASE("published: with '>>' taken as three times only the label of Kuju remains an A") {
  CHECK(letter(kuju, 3) == "A");
  CHECK(letter(san_fran_sf, 3) == "B");
  CHECK(letter(fernandina, 3) == "B");
  CHECK(letter(fernandina, 1.57) == "A");
  CHECK(letter(fernandina, 1.58) == "B");
}

TEST_CASE("each regime is found by its conditions, also the one the page has no name for") {
  const SpeedupCoefficients c{1e-6, 1e-9, 1, 0, 1e-9, 0};
  CHECK(regime_of(c, {1000, 10, 4}) == Regime::overhead_bound);
  CHECK(regime_of(c, {100000000, 10, 4}) == Regime::transition);
  CHECK(regime_of(c, {100000000, 1000, 4}) == Regime::compute_bound);
  CHECK(regime_of(c, {1000, 1000, 4}) == Regime::none);
  CHECK(regime_letter(Regime::none) == "-");
}

TEST_CASE("nonsense is refused by name") {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  const auto work_error = [](const Workload& work) { return test::error_of([&] { check_workload(work); }); };
  CHECK(test::contains(work_error({0, 1, 1}), "pixel (K), and was given 0"));
  CHECK(test::contains(work_error({1, -3, 1}), "date (D), and was given -3"));
  CHECK(test::contains(work_error({1, 1, 0}), "(P)"));
  CHECK(work_error({1, 1, 1}).empty());
  const auto error_of = [](const SpeedupCoefficients& c) { return test::error_of([&] { check_coefficients(c); }); };
  CHECK(error_of(quoted).empty());
  CHECK(test::contains(error_of({nan, 1, 1, 1, 1, 1}), "alpha_s is nan"));
  CHECK(test::contains(error_of({1, 1, 1, 1, -1e-9, 1}), "delta_s is -1e-09"));
  CHECK(test::contains(error_of({0, 0, 1, 1, 1, 1}), "host takes no time"));
  CHECK(test::contains(error_of({1, 1, 0, 0, 0, 0}), "device takes no time"));
  CHECK(test::contains(test::error_of([] { regime_of(quoted, {1, 1, 1}, 0.5); }), "factor"));
  CHECK(test::contains(test::error_of([&] { regime_of(quoted, {1, 1, 1}, nan); }), "factor"));
}
