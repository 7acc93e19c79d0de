#include "model/cost/speedup.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace outcrop::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double ratio(double numerator, double denominator) { return denominator > 0 ? numerator / denominator : infinity; }

/// Seconds that grow with each pixel.
double host_pixel_s(const SpeedupCoefficients& c, const Workload& work) {
  return c.alpha_s + c.gamma_s * work.flops_per_pixel();
}

double device_pixel_s(const SpeedupCoefficients& c, const Workload& work) {
  return c.beta_s + c.delta_s * work.elements_per_pixel() + c.epsilon_s * work.flops_per_pixel();
}

double pixels_of(const Workload& work) { return static_cast<double>(work.pixels); }

}  // namespace

// In floating point: a continent's pixels times the flops of a dense inversion overflow 64 bits.
double Workload::flops_per_pixel() const {
  return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(columns);
}

double Workload::elements_per_pixel() const { return static_cast<double>(rows) * static_cast<double>(columns); }

void check_workload(const Workload& work) {
  const auto check = [](const char* name, std::int64_t value) {
    if (value < 1)
      fail(Errc::usage, fmt::format("the cost model needs at least one {}, and was given {}", name, value));
  };
  check("pixel (K)", work.pixels);
  check("date (D)", work.rows);
  check("column of the design matrix (P)", work.columns);
}

void check_coefficients(const SpeedupCoefficients& c) {
  const auto check = [](const char* name, double value) {
    if (!std::isfinite(value) || value < 0) {
      fail(Errc::usage,
           fmt::format("the cost model's {} is {}; it has to be a number of seconds from 0 up", name, value));
    }
  };
  check("alpha_s", c.alpha_s);
  check("gamma_s", c.gamma_s);
  check("fixed_s", c.fixed_s);
  check("beta_s", c.beta_s);
  check("delta_s", c.delta_s);
  check("epsilon_s", c.epsilon_s);
  if (!(c.alpha_s + c.gamma_s > 0)) fail(Errc::usage, "the cost model's host takes no time: give alpha_s or gamma_s");
  if (!(c.fixed_s + c.beta_s + c.delta_s + c.epsilon_s > 0)) {
    fail(Errc::usage, "the cost model's device takes no time: give fixed_s, beta_s, delta_s or epsilon_s");
  }
}

double host_time_s(const SpeedupCoefficients& c, const Workload& work) {
  return pixels_of(work) * host_pixel_s(c, work);
}

double device_time_s(const SpeedupCoefficients& c, const Workload& work) {
  return c.fixed_s + pixels_of(work) * device_pixel_s(c, work);
}

double sigma(const SpeedupCoefficients& c, const Workload& work) {
  return ratio(host_time_s(c, work), device_time_s(c, work));
}

double sigma_infinity(const SpeedupCoefficients& c, const Workload& work) {
  return ratio(host_pixel_s(c, work), c.beta_s + c.delta_s * work.elements_per_pixel());
}

double asymptote(const SpeedupCoefficients& c, std::int64_t columns) {
  return ratio(c.gamma_s * static_cast<double>(columns), c.delta_s);
}

double crossover_pixels(const SpeedupCoefficients& c) { return ratio(c.fixed_s, c.alpha_s); }

std::optional<double> break_even_pixels(const SpeedupCoefficients& c, const Workload& work) {
  const double gain_s = host_pixel_s(c, work) - device_pixel_s(c, work);
  if (!(gain_s > 0)) return std::nullopt;
  return c.fixed_s / gain_s;
}

RegimeTerms regime_terms(const SpeedupCoefficients& c, const Workload& work) {
  const double pixels = pixels_of(work);
  return {pixels * c.alpha_s, pixels * c.gamma_s * work.flops_per_pixel(), c.fixed_s,
          pixels * c.delta_s * work.elements_per_pixel()};
}

void check_factor(double factor) {
  if (!std::isfinite(factor) || factor < 1) {
    fail(Errc::usage, fmt::format("the factor for \"much greater\" is {}; it has to be a number from 1 up", factor));
  }
}

Regime regime_of(const SpeedupCoefficients& c, const Workload& work, double factor) {
  check_factor(factor);
  const RegimeTerms t = regime_terms(c, work);
  const auto exceeds = [&](double larger, double smaller) { return larger >= factor * smaller; };
  const bool fixed_rules = exceeds(t.fixed_s, t.traffic_s);
  if (!fixed_rules) {
    const bool compute_rules = exceeds(t.host_compute_s, t.dispatch_s) && exceeds(t.traffic_s, t.fixed_s);
    return compute_rules ? Regime::compute_bound : Regime::transition;
  }
  return exceeds(t.dispatch_s, t.host_compute_s) ? Regime::overhead_bound : Regime::none;
}

std::string regime_letter(Regime regime) {
  switch (regime) {
    case Regime::overhead_bound:
      return "A";
    case Regime::transition:
      return "B";
    case Regime::compute_bound:
      return "C";
    case Regime::none:
      break;
  }
  return "-";
}

}  // namespace outcrop::model
