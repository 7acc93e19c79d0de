// What correct-topography finds and writes at a pixel, whichever way it is solved.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "core/status.hpp"
#include "gpu/programs/topography_memory.hpp"
#include "gpu/programs/topography_read.hpp"
#include "model/pixel/project.hpp"
#include "model/steps/correct_topography.hpp"

namespace outcrop::gpu {

/// What a pixel comes to.
struct TopographyAnswer {
  bool wanted = false;  ///< it is fitted
  PixelStatus status = PixelStatus::masked;
  double slope = 0;  ///< metres of range change a metre of baseline
  double dem_error = 0;
  unsigned findings = 0;

  OUTCROP_HD void found(int finding, bool is) { findings |= is ? 1U << static_cast<unsigned>(finding) : 0U; }
};

struct TopographyPixels {
  model::TopographyView tables;
  TopographyPlanes planes;

  /// Whether a pixel can be fitted, and what becomes of it if not. Gives: the lever of its DEM error [m].
  OUTCROP_HD double judge(std::int64_t pixel, TopographyAnswer& answer) const {
    // NaN masks nothing.
    if (planes.quality_mask != nullptr && planes.quality_mask[pixel] == 0.0F) return 0;
    const Lever lever = lever_of(tables, planes, pixel);
    judge_samples(samples_of(tables, planes, pixel), lever, answer);
    return lever.metres;
  }

  OUTCROP_HD double sample(const float* plane, std::int32_t date, std::int64_t pixel) const {
    return static_cast<double>(plane[date * planes.stride + pixel]);
  }

  /// Relative to the reference date [m].
  OUTCROP_HD double baseline(std::int32_t date, std::int64_t pixel) const {
    if (!tables.own_baselines) return tables.shared.baseline_m[date];
    return sample(planes.bperp, date, pixel) - sample(planes.bperp, tables.reference_date, pixel);
  }

  /// coefficient [rank]; read only where the pixel is wanted.
  OUTCROP_HD void write(std::int64_t pixel, const model::pixel::Strided<double>& coefficient,
                        const TopographyAnswer& answer) const {
    for (std::int32_t date = 0; date < tables.fit.num_dates; ++date) {
      const std::int64_t at = date * planes.stride + pixel;
      double corrected = 0;
      double residual = 0;
      if (answer.wanted) {
        corrected = sample(planes.series, date, pixel) - baseline(date, pixel) * answer.slope;
        if (planes.residual != nullptr) {
          residual = corrected - model::pixel::predicted(tables.fit, date, coefficient);
        }
      }
      planes.corrected[at] = static_cast<float>(corrected);
      if (planes.residual != nullptr) planes.residual[at] = static_cast<float>(residual);
    }
    planes.dem_error[pixel] = static_cast<float>(answer.dem_error);
    planes.status[pixel] = static_cast<std::uint8_t>(answer.status);
    planes.findings[pixel] = static_cast<std::uint8_t>(answer.findings);
  }

 private:
  OUTCROP_HD void judge_samples(const SeriesSamples& samples, const Lever& lever, TopographyAnswer& answer) const {
    const bool no_mean = samples.sum == 0.0F;
    const bool unreadable = samples.infinite || samples.no_baseline;
    bool no_data = !samples.some || samples.not_a_number || unreadable;
    if (tables.empty_by_mean) no_data = no_data || no_mean;
    answer.status = no_data ? PixelStatus::no_data : lever.good ? PixelStatus::ok : PixelStatus::bad_geometry;
    answer.wanted = !no_data && lever.good;
    const bool otherwise_fitted = samples.some && !samples.not_a_number && lever.good;
    answer.found(model::infinite_value, otherwise_fitted && unreadable);
    answer.found(model::zero_mean, otherwise_fitted && no_mean && !unreadable);
  }
};

}  // namespace outcrop::gpu
