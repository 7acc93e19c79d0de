// What the planes of a slot say about one pixel before it is fitted: its samples and its geometry.
#pragma once

#include <cmath>

#include "core/host_device.hpp"
#include "gpu/programs/topography_memory.hpp"
#include "model/pixel/observation.hpp"
#include "model/topography_tables.hpp"

namespace outcrop::gpu {

/// What the samples of a pixel are like.
struct SeriesSamples {
  bool some = false;          ///< the series is not 0 at every date
  float sum = 0;              ///< of the series, in float32, date after date
  bool not_a_number = false;  ///< NaN in the series at some date
  bool infinite = false;      ///< in the series
  bool no_baseline = false;   ///< NaN or infinity in the baselines
};

OUTCROP_HD inline SeriesSamples samples_of(const model::TopographyView& tables, const TopographyPlanes& planes,
                                           std::int64_t pixel) {
  SeriesSamples samples;
  for (std::int32_t date = 0; date < tables.fit.num_dates; ++date) {
    const float value = planes.series[date * planes.stride + pixel];
    samples.some = samples.some || value != 0.0F;
    samples.sum += value;
    samples.not_a_number = samples.not_a_number || value != value;
    samples.infinite = samples.infinite || model::pixel::is_infinite(value) != 0;
    if (!tables.own_baselines) continue;
    const float baseline = planes.bperp[date * planes.stride + pixel];
    samples.no_baseline = samples.no_baseline || model::pixel::is_finite(baseline) == 0;
  }
  return samples;
}

/// Slant range of a pixel [m].
OUTCROP_HD inline double range_of(const model::TopographyView& tables, const TopographyPlanes& planes,
                                  std::int64_t pixel) {
  if (planes.slant_range != nullptr) return static_cast<double>(planes.slant_range[pixel]);
  const std::int64_t col = planes.first_col + pixel % planes.num_cols;
  return tables.first_range_m + tables.range_per_column_m * static_cast<double>(col);
}

/// Range times the sine of the incidence angle: metres of height for a metre of range change over a metre of baseline.
struct Lever {
  double metres = 0;
  bool good = false;  ///< neither range nor sine is 0, NaN or infinite
};

OUTCROP_HD inline Lever lever_of(const model::TopographyView& tables, const TopographyPlanes& planes,
                                 std::int64_t pixel) {
  constexpr double radians_per_degree = 1.74532925199432957692e-02;
  constexpr double largest = static_cast<double>(model::pixel::largest_sample);
  const double range_m = range_of(tables, planes, pixel);
  double angle_deg = tables.incidence_deg;
  if (planes.incidence != nullptr) angle_deg = static_cast<double>(planes.incidence[pixel]);
  const bool good_angle = angle_deg <= largest && angle_deg >= -largest;
  const bool good_range = range_m <= largest && range_m >= -largest && range_m != 0;
  const double sine = sin(angle_deg * radians_per_degree);
  return {range_m * sine, good_angle && good_range && sine != 0};
}

}  // namespace outcrop::gpu
