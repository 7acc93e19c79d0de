// From the geometry of a pixel to the lever of its DEM error.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "model/pixel/observation.hpp"

namespace outcrop::model::pixel {

inline constexpr double radians_per_degree = 1.74532925199432957692e-02;

/// Slant range of a column of the scene [m].
OUTCROP_HD inline double range_at(double first_m, double per_column_m, std::int64_t column) {
  return first_m + per_column_m * static_cast<double>(column);
}

/// Range times the sine of the incidence angle: metres of height for a metre of range change over a metre of baseline.
template <class Lane, class Mask>
struct Lever {
  Lane metres;
  Mask good;  ///< neither range nor sine is 0, NaN or infinite
};

/// sine: of the angle.
template <class Lane>
OUTCROP_HD auto lever_of(const Lane& range_m, const Lane& angle_deg, const Lane& sine) {
  constexpr double largest = static_cast<double>(largest_sample);
  using Mask = decltype(angle_deg <= Lane(largest));
  const auto good_angle = (angle_deg <= Lane(largest)) & (angle_deg >= Lane(-largest));
  const auto good_range = (range_m <= Lane(largest)) & (range_m >= Lane(-largest)) & (range_m != Lane(0.0));
  return Lever<Lane, Mask>{range_m * sine, static_cast<Mask>(good_angle & good_range & (sine != Lane(0.0)))};
}

}  // namespace outcrop::model::pixel
