// Projection: is a step worth a device? Six steps, from its flops and bytes a pixel.
#pragma once

#include <cstdint>
#include <optional>

#include "model/cost/speedup.hpp"

namespace outcrop::model {

struct StepDescription {
  double flops_per_pixel = 0;     ///< of the dominant kernel
  double bytes_per_pixel = 0;     ///< largest intermediate that crosses the bus
  std::optional<double> alpha_s;  ///< dispatch a pixel on the host; absent: that of the coefficients
};

/// The traffic coefficient delta is of an element of float32.
inline constexpr double bytes_per_element = 4;

/// Sigma has to grow by so much over its value at the crossover for a port to be worth it, unless said otherwise.
inline constexpr double worthwhile_growth = 3;

struct Projection {
  double flops_per_pixel = 0;               ///< 1
  double elements_per_pixel = 0;            ///< 2
  double alpha_s = 0;                       ///< 3
  double asymptote = 0;                     ///< 4: gamma flops / (delta elements)
  double sigma_infinity = 0;                ///< 4: with alpha and beta, which the asymptote leaves out
  double crossover_pixels = 0;              ///< 5
  double sigma_at_crossover = 0;            ///< 6; 0 where there is no crossover
  bool worth_it = false;                    ///< 6: sigma_infinity >= growth x sigma_at_crossover, and above 1
  std::optional<double> break_even_pixels;  ///< where sigma is 1; nothing: never
};

/// Throws Errc::usage for a description that is negative, zero where it must not be, or no number.
Projection project(const SpeedupCoefficients& c, const StepDescription& step, double growth = worthwhile_growth);

/// Sigma of the described step at a number of pixels.
double projected_sigma(const SpeedupCoefficients& c, const StepDescription& step, double pixels);

}  // namespace outcrop::model
