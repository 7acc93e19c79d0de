// correct-topography at one pixel, by one thread: the same bodies as on the host, element type double.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "gpu/programs/topography_pixels.hpp"

namespace outcrop::gpu {

struct TopographyKernel {
  TopographyPixels pixels;
  TopographyScratch scratch;

  OUTCROP_HD void operator()(std::int64_t pixel, std::int64_t thread) const {
    TopographyAnswer answer;
    const TopographyColumns mine = columns_of(scratch, thread);
    const double lever_m = pixels.judge(pixel, answer);
    if (answer.wanted) fit(pixel, mine, lever_m, answer);
    pixels.write(pixel, mine.coefficient, answer);
  }

 private:
  OUTCROP_HD void fit(std::int64_t pixel, const TopographyColumns& mine, double lever_m,
                      TopographyAnswer& answer) const {
    const model::TopographyView& tables = pixels.tables;
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

  /// Of a pixel with baselines of its own. Gives: whether c is in the span of the shared columns.
  OUTCROP_HD bool fit_own(std::int64_t pixel, const TopographyColumns& mine, double lever_m, TopographyAnswer& answer,
                          bool& surprising) const {
    namespace body = model::pixel;
    const body::FitView& f = pixels.tables.fit;
    const body::RowsOfDates c(f, [&](std::int32_t date) { return pixels.baseline(date, pixel); });
    const body::RowsOfDates y(f, [&](std::int32_t date) { return pixels.sample(pixels.planes.series, date, pixel); });
    const auto fitted = body::fit_own(f, true, c, y, lever_m, mine.of_baseline, mine.coefficient);
    answer.slope = fitted.slope;
    answer.found(model::no_baseline, fitted.zero);
    surprising = fitted.dependent && !fitted.zero;
    return fitted.dependent;
  }

  /// Of a pixel with the baselines that all have.
  OUTCROP_HD bool fit_shared(std::int64_t pixel, const TopographyColumns& mine, double lever_m,
                             TopographyAnswer& answer, bool& surprising) const {
    namespace body = model::pixel;
    const body::FitView& f = pixels.tables.fit;
    const model::pixel::SharedBaselineView& shared = pixels.tables.shared;
    double slope = 0;
    for (std::int32_t date = 0; date < f.num_dates; ++date) {
      slope += shared.slope[date] * pixels.sample(pixels.planes.series, date, pixel);
    }
    answer.slope = shared.dependent ? body::least_norm_slope(shared.square, slope, lever_m) : slope;
    for (std::int32_t j = 0; j < f.rank; j += body::basis_group) {
      body::GroupSums<double> sum{0, 0, 0, 0};
      sum.add(shared.column + j, -answer.slope);
      for (std::int32_t date = 0; date < f.num_dates; ++date) {
        sum.add(shared.data + std::int64_t{date} * f.rank + j, pixels.sample(pixels.planes.series, date, pixel));
      }
      sum.store(mine.coefficient + j);
    }
    answer.found(model::no_baseline, shared.dependent && shared.zero);
    surprising = shared.dependent && !shared.zero;
    return shared.dependent;
  }
};

}  // namespace outcrop::gpu
