// The published formula fitted: to exact times, to the published scenes, and to too little.
#include "model/cost/speedup_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/error_text.hpp"

using namespace outcrop;
using namespace outcrop::model;

namespace {

const std::vector<Observation>& published_scenes() {
  static const std::vector<Observation> scenes = {{"Kuju", {226000, 24, 4}, 9.14, 3.61},
                                                  {"SanFranSF", {260000, 114, 4}, 9.32, 3.84},
                                                  {"Fernandina", {270000, 98, 6}, 11.15, 4.36},
                                                  {"SanFranBay", {326000, 333, 4}, 14.53, 8.23},
                                                  {"Galapagos", {3400000, 98, 4}, 163.83, 26.66}};
  return scenes;
}

/// Times of the formula itself on sizes that tell all six coefficients apart.
std::vector<Observation> exact_scenes(const SpeedupCoefficients& c) {
  std::vector<Observation> scenes;
  for (const std::int64_t pixels : {10000, 300000, 5000000}) {
    for (const std::int64_t rows : {20, 400}) {
      for (const std::int64_t columns : {3, 40}) {
        const Workload work{pixels, rows, columns};
        scenes.push_back({"exact", work, host_time_s(c, work), device_time_s(c, work)});
      }
    }
  }
  return scenes;
}

const FittedCoefficient& estimate(const TimeFit& fit, const std::string& name) {
  const auto entry =
      std::find_if(fit.coefficients.begin(), fit.coefficients.end(), [&](const auto& e) { return e.name == name; });
  REQUIRE(entry != fit.coefficients.end());
  return entry->estimate;
}

}  // namespace

TEST_CASE("exact times give all six coefficients back") {
  const SpeedupCoefficients truth{40e-6, 0.3e-9, 3.0, 1e-6, 12e-9, 1e-10};
  const auto fit = fit_speedup(exact_scenes(truth), {});
  const auto fitted = fit.coefficients();
  for (std::size_t i = 0; i < coefficient_names.size(); ++i) {
    CHECK_MESSAGE(coefficient(fitted, i) == doctest::Approx(coefficient(truth, i)).epsilon(1e-4), coefficient_names[i]);
  }
  for (const auto* part : {&*fit.host, &*fit.device}) {
    for (const auto& entry : part->coefficients) CHECK_MESSAGE(entry.estimate.determined, entry.name);
    CHECK(part->rms_relative() < 1e-9);
  }
}

TEST_CASE("coefficients that are held are not fitted") {
  const SpeedupCoefficients truth{40e-6, 0.3e-9, 3.0, 1e-6, 12e-9, 0};
  FitOptions options;
  options.held[3] = 1e-6;
  options.held[5] = 0.0;
  const auto fit = fit_speedup(exact_scenes(truth), options);
  CHECK(fit.device->degrees_of_freedom == 10);
  CHECK(fit.device->coefficients[1].held);
  CHECK(fit.coefficients().beta_s == 1e-6);
  CHECK(fit.coefficients().delta_s == doctest::Approx(12e-9));
  CHECK(fit.device->rms_relative() < 1e-9);
}

TEST_CASE("the published scenes determine alpha, and neither gamma nor anything of the device") {
  const auto fit = fit_speedup(published_scenes(), {});
  CHECK(fit.host->degrees_of_freedom == 3);
  CHECK(fit.device->degrees_of_freedom == 1);
  CHECK(estimate(*fit.host, "alpha_s").determined);
  CHECK_FALSE(estimate(*fit.host, "gamma_s").determined);
  for (const auto& entry : fit.device->coefficients) CHECK_FALSE_MESSAGE(entry.estimate.determined, entry.name);
  // Every quoted coefficient but one lies within its interval: they are not refuted, they are not determined.
  const SpeedupCoefficients quoted{40e-6, 0.3e-9, 3.0, 0.0, 12e-9, 1e-12};
  std::size_t place = 0;
  for (const auto* part : {&*fit.host, &*fit.device}) {
    for (const auto& entry : part->coefficients) {
      const double value = coefficient(quoted, place++);
      CHECK_MESSAGE(value >= entry.estimate.interval->low, entry.name);
      CHECK_MESSAGE(value <= entry.estimate.interval->high, entry.name);
    }
  }
  // 31 ns a flop is refuted.
  CHECK(estimate(*fit.host, "gamma_s").interval->high < 31e-9);
}

TEST_CASE("the intervals of the published scenes are those of an independent computation") {
  // Profiles with scipy.optimize.nnls and scipy.stats.t.
  const auto agree = [](const FittedCoefficient& c, double value, double low, double high) {
    CHECK(c.value == doctest::Approx(value).epsilon(1e-5));
    CHECK(c.interval->low == doctest::Approx(low).epsilon(1e-5));
    CHECK(c.interval->high == doctest::Approx(high).epsilon(1e-5));
  };
  const auto all = fit_speedup(published_scenes(), {});
  agree(estimate(*all.host, "alpha_s"), 3.948575e-05, 2.668738e-05, 4.838179e-05);
  agree(estimate(*all.host, "gamma_s"), 7.232073e-10, 0, 5.061501e-09);
  agree(estimate(*all.device, "fixed_s"), 2.220671, 0, 9.180218);
  agree(estimate(*all.device, "beta_s"), 3.410437e-06, 0, 2.511584e-05);
  agree(estimate(*all.device, "delta_s"), 9.551940e-09, 0, 4.897388e-08);
  agree(estimate(*all.device, "epsilon_s"), 0, 0, 1.109082e-08);
  FitOptions options;
  options.held[5] = 1e-12;
  const auto three = fit_speedup(published_scenes(), options);
  agree(estimate(*three.device, "fixed_s"), 2.220594, 0.3613291, 4.079858);
  agree(estimate(*three.device, "beta_s"), 3.410589e-06, 0, 1.098861e-05);
  agree(estimate(*three.device, "delta_s"), 9.547597e-09, 0, 2.211853e-08);
  options.held[3] = 0.0;
  const auto two = fit_speedup(published_scenes(), options);
  agree(estimate(*two.device, "fixed_s"), 2.585563, 0.8784398, 4.292686);
  agree(estimate(*two.device, "delta_s"), 1.420149e-08, 5.156112e-09, 2.324688e-08);
}

TEST_CASE("no pair of coefficients within the intervals of the published scenes gives an asymptote of 10") {
  FitOptions options;
  options.held[3] = 0.0;
  options.held[5] = 1e-12;
  const auto fit = fit_speedup(published_scenes(), options);
  const double highest_gamma_s = estimate(*fit.host, "gamma_s").interval->high;
  const double lowest_delta_s = estimate(*fit.device, "delta_s").interval->low;
  CHECK(highest_gamma_s * 4 / lowest_delta_s < 4);
}

TEST_CASE("one scene cannot determine five coefficients") {
  const auto fit = fit_speedup({published_scenes().front()}, {});
  for (const auto* part : {&*fit.host, &*fit.device}) {
    CHECK(part->degrees_of_freedom == 0);
    CHECK(part->fitted_s[0] == doctest::Approx(part->measured_s[0]));
    for (const auto& entry : part->coefficients) {
      CHECK_FALSE(entry.estimate.determined);
      CHECK_FALSE(entry.estimate.interval.has_value());
    }
  }
}

TEST_CASE("the same scene many times determines no more than its time") {
  const std::vector<Observation> same(9, published_scenes().front());
  const auto fit = fit_speedup(same, {});
  for (const auto& entry : fit.device->coefficients) CHECK_FALSE_MESSAGE(entry.estimate.determined, entry.name);
}

TEST_CASE("times of one side alone are fitted alone") {
  std::vector<Observation> scenes = published_scenes();
  for (auto& scene : scenes) scene.device_s.reset();
  const auto fit = fit_speedup(scenes, {});
  CHECK(fit.host.has_value());
  CHECK_FALSE(fit.device.has_value());
  CHECK(fit.coefficients().fixed_s == 0);
}

TEST_CASE("relative weights keep small scenes from being drowned by the large one") {
  FitOptions equal;
  equal.weighting = Weighting::equal;
  const auto by_share = fit_speedup(published_scenes(), {});
  const auto by_seconds = fit_speedup(published_scenes(), equal);
  CHECK(std::abs(by_seconds.host->fitted_s[4] - 163.83) < std::abs(by_share.host->fitted_s[4] - 163.83));
  CHECK(by_share.host->rms_relative() < by_seconds.host->rms_relative());
}

TEST_CASE("nonsense is refused with the scene's name") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto error_of = [](const Observation& observation, const FitOptions& options = {}) {
    return test::error_of([&] { fit_speedup({observation}, options); });
  };
  CHECK(test::contains(error_of({"S", {0, 1, 1}, 1.0, 1.0}), "scene 'S'"));
  CHECK(test::contains(error_of({"S", {1, 1, 1}, -1.0, 1.0}), "time on the host is -1"));
  CHECK(test::contains(error_of({"S", {1, 1, 1}, 1.0, nan}), "time on the device is nan"));
  CHECK(test::contains(error_of({"S", {1, 1, 1}, 0.0, {}}), "positive"));
  CHECK(test::contains(error_of({"S", {1, 1, 1}, {}, {}}), "no scene has a measured time"));
  CHECK(test::contains(test::error_of([] { fit_speedup({}, {}); }), "no scene"));
  FitOptions options;
  options.held[4] = nan;
  CHECK(test::contains(error_of({"S", {1, 1, 1}, 1.0, 1.0}, options), "delta_s is held at nan"));
}

TEST_CASE("times and sizes at the ends of their range come to an end") {
  const auto most = std::numeric_limits<std::int64_t>::max();
  const auto fit = fit_speedup({{"a", {most, most, most}, 1e-300, 1e300}, {"b", {1, 1, 1}, 1e300, 1e-300}}, {});
  CHECK(fit.host->fitted_s.size() == 2);
}
