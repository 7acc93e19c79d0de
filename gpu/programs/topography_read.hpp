// What the planes of a slot say about one pixel before it is fitted: its samples and its geometry.
#pragma once

#include <cmath>

#include "core/host_device.hpp"
#include "gpu/programs/topography_memory.hpp"
#include "model/pixel/lever.hpp"
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
  return model::pixel::range_at(tables.first_range_m, tables.range_per_column_m, col);
}

using Lever = model::pixel::Lever<double, bool>;

OUTCROP_HD inline Lever lever_of(const model::TopographyView& tables, const TopographyPlanes& planes,
                                 std::int64_t pixel) {
  const double range_m = range_of(tables, planes, pixel);
  double angle_deg = tables.incidence_deg;
  if (planes.incidence != nullptr) angle_deg = static_cast<double>(planes.incidence[pixel]);
  return model::pixel::lever_of(range_m, angle_deg, sin(angle_deg * model::pixel::radians_per_degree));
}

}  // namespace outcrop::gpu
