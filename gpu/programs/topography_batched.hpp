// correct-topography without a closed form: the design matrix of a pixel, formed by the host or by the device, and what
// the solution of its normal equations means. The columns are those of the host (docs/numerics.md).
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "core/status.hpp"
#include "gpu/programs/normal_equations.hpp"
#include "gpu/programs/topography_pixels.hpp"

namespace outcrop::gpu {

/// One thread a pixel: G = [shared columns, baselines / their norm] and the series, at the rows of the fit.
struct TopographyAssembly {
  TopographyPixels pixels;
  DesignBatch to;
  std::int64_t first_pixel = 0;  ///< of the batch in the tile

  OUTCROP_HD void operator()(std::int64_t item, std::int64_t /*thread*/) const {
    const model::pixel::FitView& fit = pixels.tables.fit;
    const std::int64_t pixel = first_pixel + item;
    const std::int32_t last = to.size - 1;
    double* const design = to.design + item * to.num_rows * to.size;
    const model::pixel::Strided<double> own{design + last, to.size};
    model::pixel::rows_of_dates(
        fit, [&](std::int32_t date) { return pixels.baseline(date, pixel); }, own);
    model::pixel::rows_of_dates(
        fit, [&](std::int32_t date) { return pixels.sample(pixels.planes.series, date, pixel); },
        to.observed + item * to.num_rows);
    double square = 0;
    for (std::int32_t row = 0; row < to.num_rows; ++row) square += own[row] * own[row];
    const double scale = square > 0 ? 1 / model::pixel::root(square) : 0;
    for (std::int32_t row = 0; row < to.num_rows; ++row) {
      const double* const shared = fit.basis + std::int64_t{row} * fit.rank;
      for (std::int32_t j = 0; j < last; ++j) design[std::int64_t{row} * to.size + j] = shared[j];
      own[row] = own[row] * scale;
    }
    to.scale[item] = scale;
  }
};

/// One thread a pixel: its products from the unknowns, or the mark that the reference has to solve it.
struct TopographySolution {
  TopographyPixels pixels;
  NormalBatch from;
  const double* scale = nullptr;  ///< [B] of the baselines
  double* coefficient = nullptr;  ///< [rank, B]
  std::int64_t batch_pixels = 0;  ///< B
  std::int64_t first_pixel = 0;

  OUTCROP_HD void operator()(std::int64_t item, std::int64_t /*thread*/) const {
    const std::int64_t pixel = first_pixel + item;
    const model::pixel::Strided<double> mine{coefficient + item, batch_pixels};
    TopographyAnswer answer;
    const double lever_m = pixels.judge(pixel, answer);
    bool marked = false;
    if (answer.wanted) {
      answer.found(model::dependent_columns, pixels.tables.columns_surprising);
      marked = pixels.tables.all_deficient || !is_solved(from, item);
      answer.wanted = !marked;
    }
    if (answer.wanted) take(item, mine, lever_m, answer);
    pixels.write(pixel, mine, answer);
    if (marked) pixels.planes.status[pixel] = marked_pixel;
  }

 private:
  OUTCROP_HD void take(std::int64_t item, const model::pixel::Strided<double>& mine, double lever_m,
                       TopographyAnswer& answer) const {
    const double* const unknown = from.side + item * from.size;
    for (std::int32_t j = 0; j < pixels.tables.fit.rank; ++j) mine[j] = j + 1 < from.size ? unknown[j] : 0;
    answer.slope = unknown[from.size - 1] * scale[item];
    answer.dem_error = answer.slope * lever_m;
    if (pixels.tables.columns_dependent) answer.status = PixelStatus::min_norm;
  }
};

}  // namespace outcrop::gpu
