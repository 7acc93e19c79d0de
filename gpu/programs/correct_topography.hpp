// correct-topography at one pixel, by one thread: the same bodies as on the host, element type double.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "core/status.hpp"
#include "gpu/programs/topography_read.hpp"
#include "gpu/programs/topography_tables.hpp"
#include "model/pixel/project.hpp"
#include "model/steps/correct_topography.hpp"

namespace outcrop::gpu {

struct TopographyKernel {
  TopographyTables tables;
  TopographyPlanes planes;
  TopographyScratch scratch;

  OUTCROP_HD void operator()(std::int64_t pixel, std::int64_t thread) const {
    Answer answer;
    // NaN masks nothing.
    if (planes.quality_mask != nullptr && planes.quality_mask[pixel] == 0.0F) {
      write(pixel, {}, answer);
      return;
    }
    const TopographyColumns mine = columns_of(scratch, thread);
    const Lever lever = lever_of(tables, planes, pixel);
    judge(samples_of(tables, planes, pixel), lever, answer);
    if (answer.wanted) fit(pixel, mine, lever.metres, answer);
    write(pixel, mine, answer);
  }

 private:
  /// What a pixel comes to.
  struct Answer {
    bool wanted = false;  ///< it is fitted
    PixelStatus status = PixelStatus::masked;
    double slope = 0;  ///< metres of range change a metre of baseline
    double dem_error = 0;
    unsigned findings = 0;

    OUTCROP_HD void found(int finding, bool is) { findings |= is ? 1U << static_cast<unsigned>(finding) : 0U; }
  };

  /// Whether a pixel can be fitted, and what becomes of it if not.
  OUTCROP_HD void judge(const SeriesSamples& samples, const Lever& lever, Answer& answer) const {
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

  OUTCROP_HD void fit(std::int64_t pixel, const TopographyColumns& mine, double lever_m, Answer& answer) const {
    bool surprising = false;
    bool deficient = tables.own_baselines ? fit_own(pixel, mine, lever_m, answer, surprising)
                                          : fit_shared(pixel, mine, lever_m, answer, surprising);
    if (!tables.rows_enough) surprising = false;
    if (tables.columns_surprising) surprising = true;
    if (tables.columns_dependent) deficient = true;
    answer.found(model::dependent_columns, surprising);
    answer.dem_error = answer.slope * lever_m;
    if (deficient) answer.status = PixelStatus::min_norm;
  }

  OUTCROP_HD double sample(const float* plane, std::int32_t date, std::int64_t pixel) const {
    return static_cast<double>(plane[date * planes.stride + pixel]);
  }

  /// Of a pixel with baselines of its own. Gives: whether c is in the span of the shared columns.
  OUTCROP_HD bool fit_own(std::int64_t pixel, const TopographyColumns& mine, double lever_m, Answer& answer,
                          bool& surprising) const {
    namespace body = model::pixel;
    const body::FitView& f = tables.fit;
    const double reference = sample(planes.bperp, tables.reference_date, pixel);
    body::rows_of_dates(
        f, [&](std::int32_t date) { return sample(planes.bperp, date, pixel) - reference; }, mine.baseline_rows);
    body::rows_of_dates(
        f, [&](std::int32_t date) { return sample(planes.series, date, pixel); }, mine.series_rows);
    body::coefficients(f, mine.baseline_rows, mine.series_rows, mine.of_baseline, mine.coefficient);
    const auto sums = body::remainder(f, mine.baseline_rows, mine.series_rows, mine.of_baseline);
    const bool independent = sums.square > body::dependent_square * sums.whole;
    if (independent) {
      answer.slope = sums.product / sums.square;
    } else {
      answer.slope = body::least_norm_slope(body::gram_product(f, mine.of_baseline, mine.of_baseline),
                                            body::gram_product(f, mine.of_baseline, mine.coefficient), lever_m);
    }
    for (std::int32_t j = 0; j < f.rank; ++j) {
      mine.coefficient[j] = mine.coefficient[j] - mine.of_baseline[j] * answer.slope;
    }
    answer.found(model::no_baseline, !independent && sums.whole == 0);
    surprising = !independent && sums.whole != 0;
    return !independent;
  }

  /// Of a pixel with the baselines that all have.
  OUTCROP_HD bool fit_shared(std::int64_t pixel, const TopographyColumns& mine, double lever_m, Answer& answer,
                             bool& surprising) const {
    namespace body = model::pixel;
    const body::FitView& f = tables.fit;
    const SharedBaselineTables& shared = tables.shared;
    double slope = 0;
    for (std::int32_t date = 0; date < f.num_dates; ++date) {
      slope += shared.slope[date] * sample(planes.series, date, pixel);
    }
    answer.slope = shared.dependent ? body::least_norm_slope(shared.square, slope, lever_m) : slope;
    for (std::int32_t j = 0; j < f.rank; j += body::basis_group) {
      body::GroupSums<double> sum{0, 0, 0, 0};
      sum.add(shared.column + j, -answer.slope);
      for (std::int32_t date = 0; date < f.num_dates; ++date) {
        sum.add(shared.data + std::int64_t{date} * f.rank + j, sample(planes.series, date, pixel));
      }
      sum.store(mine.coefficient + j);
    }
    answer.found(model::no_baseline, shared.dependent && shared.zero);
    surprising = shared.dependent && !shared.zero;
    return shared.dependent;
  }

  OUTCROP_HD double baseline(std::int32_t date, std::int64_t pixel) const {
    if (!tables.own_baselines) return tables.shared.baseline_m[date];
    return sample(planes.bperp, date, pixel) - sample(planes.bperp, tables.reference_date, pixel);
  }

  OUTCROP_HD void write(std::int64_t pixel, const TopographyColumns& mine, const Answer& answer) const {
    for (std::int32_t date = 0; date < tables.fit.num_dates; ++date) {
      const std::int64_t at = date * planes.stride + pixel;
      double corrected = 0;
      double residual = 0;
      if (answer.wanted) {
        corrected = sample(planes.series, date, pixel) - baseline(date, pixel) * answer.slope;
        if (planes.residual != nullptr) {
          residual = corrected - model::pixel::predicted(tables.fit, date, mine.coefficient);
        }
      }
      planes.corrected[at] = static_cast<float>(corrected);
      if (planes.residual != nullptr) planes.residual[at] = static_cast<float>(residual);
    }
    planes.dem_error[pixel] = static_cast<float>(answer.dem_error);
    planes.status[pixel] = static_cast<std::uint8_t>(answer.status);
    planes.findings[pixel] = static_cast<std::uint8_t>(answer.findings);
  }
};

}  // namespace outcrop::gpu
