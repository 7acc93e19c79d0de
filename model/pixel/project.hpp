// The least squares fit of one pixel whose design matrix is [c, S]: S the same at all pixels and decomposed once, c the
// pixel's own column. S is taken out of c; what is left of c gives the DEM error. In the unit of baselines: with
// c = b / (R sin(theta)) the fit is of e b, and the DEM error is e R sin(theta).
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "model/pixel/lane.hpp"

namespace outcrop::model::pixel {

/// Basis vectors are handled in groups of this many, so that their sums stay in registers; tables are padded with zeros.
inline constexpr std::int32_t basis_group = 4;

/// What is left of c, squared, over c squared: below it c is in the span of S.
inline constexpr double dependent_square = 1e-20;

/// What a pixel needs of a fit: plain pointers, the same on the host and on a device. `rank` is a multiple of
/// basis_group.
struct FitView {
  std::int32_t num_dates = 0;
  std::int32_t num_rows = 0;  ///< of the fit: dates in use, or differences of neighbouring ones
  std::int32_t rank = 0;
  const std::int32_t* row_date = nullptr;   ///< [rows] date of the row; of a difference the later one
  const std::int32_t* row_minus = nullptr;  ///< [rows] the earlier date of the difference; null when rows are dates
  const double* row_factor = nullptr;       ///< [rows] 1 / years of the difference; null when rows are dates
  const double* basis = nullptr;            ///< [rows, rank] orthonormal
  const double* predict = nullptr;          ///< [D, rank] from a fit's coefficients to S x at all dates
  const double* gram = nullptr;             ///< [rank, rank] x'x is coefficients' gram coefficients
};

/// Values of the dates to values of the rows.
template <class Lane>
OUTCROP_HD void rows_of_dates(const FitView& fit, const Lane* dates, Lane* rows) {
  if (fit.row_minus == nullptr) {
    for (std::int32_t i = 0; i < fit.num_rows; ++i) rows[i] = dates[fit.row_date[i]];
  } else {
    for (std::int32_t i = 0; i < fit.num_rows; ++i) {
      rows[i] = (dates[fit.row_date[i]] - dates[fit.row_minus[i]]) * Lane(fit.row_factor[i]);
    }
  }
}

/// Coefficients [rank] of rows c and y in the basis.
template <class Lane>
OUTCROP_HD void coefficients(const FitView& fit, const Lane* c, const Lane* y, Lane* of_c, Lane* of_y) {
  for (std::int32_t j = 0; j < fit.rank; j += basis_group) {
    Lane sum_c[basis_group];
    Lane sum_y[basis_group];
    for (std::int32_t g = 0; g < basis_group; ++g) sum_c[g] = sum_y[g] = Lane(0.0);
    for (std::int32_t i = 0; i < fit.num_rows; ++i) {
      const double* const q = fit.basis + i * fit.rank + j;
      for (std::int32_t g = 0; g < basis_group; ++g) {
        sum_c[g] = sum_c[g] + Lane(q[g]) * c[i];
        sum_y[g] = sum_y[g] + Lane(q[g]) * y[i];
      }
    }
    for (std::int32_t g = 0; g < basis_group; ++g) {
      of_c[j + g] = sum_c[g];
      of_y[j + g] = sum_y[g];
    }
  }
}

template <class Lane>
struct Remainder {
  Lane whole;    ///< c . c
  Lane square;   ///< of what is left of c
  Lane product;  ///< of what is left of c, with y
};

/// What is left of c without its part in the span of S.
template <class Lane>
OUTCROP_HD Remainder<Lane> remainder(const FitView& fit, const Lane* c, const Lane* y, const Lane* of_c) {
  Remainder<Lane> sums{Lane(0.0), Lane(0.0), Lane(0.0)};
  for (std::int32_t i = 0; i < fit.num_rows; ++i) {
    const double* const q = fit.basis + i * fit.rank;
    Lane left = c[i];
    for (std::int32_t j = 0; j < fit.rank; ++j) left = left - Lane(q[j]) * of_c[j];
    sums.whole = sums.whole + c[i] * c[i];
    sums.square = sums.square + left * left;
    sums.product = sums.product + left * y[i];
  }
  return sums;
}

/// a' gram b.
template <class Lane>
OUTCROP_HD Lane gram_product(const FitView& fit, const Lane* a, const Lane* b) {
  Lane sum(0.0);
  for (std::int32_t i = 0; i < fit.rank; ++i) {
    Lane row(0.0);
    for (std::int32_t j = 0; j < fit.rank; ++j) row = row + Lane(fit.gram[i * fit.rank + j]) * b[j];
    sum = sum + a[i] * row;
  }
  return sum;
}

/// e of least norm where c is in the span of S: with dz = e R sin(theta), [dz, x] is smallest.
/// square, product: of the unknowns of c with themselves and with those of y.
template <class Lane>
OUTCROP_HD Lane least_norm_slope(const Lane& square, const Lane& product, const Lane& lever_m) {
  return product / (lever_m * lever_m + square);
}

/// S x at a date, from the coefficients [rank].
template <class Lane>
OUTCROP_HD Lane predicted(const FitView& fit, std::int32_t date, const Lane* coefficient) {
  const double* const row = fit.predict + date * fit.rank;
  Lane sum(0.0);
  for (std::int32_t j = 0; j < fit.rank; ++j) sum = sum + Lane(row[j]) * coefficient[j];
  return sum;
}

}  // namespace outcrop::model::pixel
