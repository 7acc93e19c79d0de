#include "model/cost/projection.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace outcrop::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double ratio(double numerator, double denominator) { return denominator > 0 ? numerator / denominator : infinity; }

void check(const StepDescription& step, double growth) {
  if (!std::isfinite(step.flops_per_pixel) || !(step.flops_per_pixel > 0)) {
    fail(Errc::usage,
         fmt::format("projecting a step: its flops a pixel are {}; give a positive number", step.flops_per_pixel));
  }
  if (!std::isfinite(step.bytes_per_pixel) || step.bytes_per_pixel < 0) {
    fail(Errc::usage,
         fmt::format("projecting a step: its bytes a pixel are {}; give a number from 0 up", step.bytes_per_pixel));
  }
  if (step.alpha_s && (!std::isfinite(*step.alpha_s) || *step.alpha_s < 0)) {
    fail(Errc::usage,
         fmt::format("projecting a step: its alpha is {} s a pixel; give a number from 0 up", *step.alpha_s));
  }
  if (!std::isfinite(growth) || growth < 1) {
    fail(Errc::usage, fmt::format("projecting a step: the factor is {}; it has to be a number from 1 up", growth));
  }
}

double host_pixel_s(const SpeedupCoefficients& c, const StepDescription& step) {
  return step.alpha_s.value_or(c.alpha_s) + c.gamma_s * step.flops_per_pixel;
}

double traffic_pixel_s(const SpeedupCoefficients& c, const StepDescription& step) {
  return c.delta_s * step.bytes_per_pixel / bytes_per_element;
}

double device_pixel_s(const SpeedupCoefficients& c, const StepDescription& step) {
  return c.beta_s + traffic_pixel_s(c, step) + c.epsilon_s * step.flops_per_pixel;
}

}  // namespace

double projected_sigma(const SpeedupCoefficients& c, const StepDescription& step, double pixels) {
  return ratio(pixels * host_pixel_s(c, step), c.fixed_s + pixels * device_pixel_s(c, step));
}

Projection project(const SpeedupCoefficients& c, const StepDescription& step, double growth) {
  check(step, growth);
  Projection p;
  p.flops_per_pixel = step.flops_per_pixel;
  p.elements_per_pixel = step.bytes_per_pixel / bytes_per_element;
  p.alpha_s = step.alpha_s.value_or(c.alpha_s);
  p.asymptote = ratio(c.gamma_s * step.flops_per_pixel, traffic_pixel_s(c, step));
  p.sigma_infinity = ratio(host_pixel_s(c, step), c.beta_s + traffic_pixel_s(c, step));
  p.crossover_pixels = ratio(c.fixed_s, p.alpha_s);
  // Without dispatch there is no crossover, and without a fixed cost sigma is the same from the first pixel on.
  const bool crosses = p.crossover_pixels > 0 && std::isfinite(p.crossover_pixels);
  p.sigma_at_crossover = crosses ? projected_sigma(c, step, p.crossover_pixels) : 0;
  p.worth_it = p.sigma_infinity > 1 && p.sigma_infinity >= growth * p.sigma_at_crossover;
  const double gain_s = host_pixel_s(c, step) - device_pixel_s(c, step);
  if (gain_s > 0) p.break_even_pixels = c.fixed_s / gain_s;
  return p;
}

}  // namespace outcrop::model
