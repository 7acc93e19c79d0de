// The least squares fit of one pixel whose design matrix is [c, S]: S the same at all pixels and decomposed once, c the
// pixel's own column. S is taken out of c; what is left of c gives the DEM error. In the unit of baselines: with
// c = b / (R sin(theta)) the fit is of e b, and the DEM error is e R sin(theta).
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "model/pixel/column.hpp"
#include "model/pixel/lane.hpp"

namespace outcrop::model::pixel {

/// Basis vectors are handled in groups of this many, so that their sums stay in registers; tables are padded with
/// zeros.
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

/// What a pixel needs of baselines that are the same everywhere; see model::SharedBaselines.
struct SharedBaselineView {
  const double* baseline_m = nullptr;  ///< [D] relative to the reference date
  const double* slope = nullptr;       ///< [D]
  const double* column = nullptr;      ///< [rank]
  const double* data = nullptr;        ///< [D, rank]
  bool dependent = false;
  bool zero = false;  ///< all baselines of the fit are the same
  double square = 0;
};

/// Values of the dates, value_at(date), to values of the rows.
template <class Value, class Column>
OUTCROP_HD void rows_of_dates(const FitView& fit, const Value& value_at, Column rows) {
  if (fit.row_minus == nullptr) {
    for (std::int32_t i = 0; i < fit.num_rows; ++i) rows[i] = value_at(fit.row_date[i]);
  } else {
    for (std::int32_t i = 0; i < fit.num_rows; ++i) {
      rows[i] = (value_at(fit.row_date[i]) - value_at(fit.row_minus[i])) * Element<Column>(fit.row_factor[i]);
    }
  }
}

/// Sums for one group of basis vectors; named one by one, for an array would go through memory.
template <class Lane>
struct GroupSums {
  Lane first;
  Lane second;
  Lane third;
  Lane fourth;

  OUTCROP_HD void add(const double* factor, const Lane& value) {
    first = first + Lane(factor[0]) * value;
    second = second + Lane(factor[1]) * value;
    third = third + Lane(factor[2]) * value;
    fourth = fourth + Lane(factor[3]) * value;
  }

  template <class Column>
  OUTCROP_HD void store(Column to) const {
    to[0] = first;
    to[1] = second;
    to[2] = third;
    to[3] = fourth;
  }
};
static_assert(basis_group == 4, "GroupSums has four members");

/// start + the sum over [rank] of factor times coefficient.
template <class Column, class Lane>
OUTCROP_HD Lane add_products(std::int32_t rank, const double* factor, Column coefficient, Lane start) {
  for (std::int32_t j = 0; j < rank; j += basis_group) {
    start = start + Lane(factor[j]) * coefficient[j];
    start = start + Lane(factor[j + 1]) * coefficient[j + 1];
    start = start + Lane(factor[j + 2]) * coefficient[j + 2];
    start = start + Lane(factor[j + 3]) * coefficient[j + 3];
  }
  return start;
}

/// Coefficients [rank] of rows c and y in the basis.
template <class Rows, class Column>
OUTCROP_HD void coefficients(const FitView& fit, Rows c, Rows y, Column of_c, Column of_y) {
  using Lane = Element<Column>;
  for (std::int32_t j = 0; j < fit.rank; j += basis_group) {
    GroupSums<Lane> sum_c{Lane(0.0), Lane(0.0), Lane(0.0), Lane(0.0)};
    GroupSums<Lane> sum_y{Lane(0.0), Lane(0.0), Lane(0.0), Lane(0.0)};
    for (std::int32_t i = 0; i < fit.num_rows; ++i) {
      const double* const q = fit.basis + std::int64_t{i} * fit.rank + j;
      sum_c.add(q, c[i]);
      sum_y.add(q, y[i]);
    }
    sum_c.store(of_c + j);
    sum_y.store(of_y + j);
  }
}

template <class Lane>
struct Remainder {
  Lane whole;    ///< c . c
  Lane square;   ///< of what is left of c
  Lane product;  ///< of what is left of c, with y
};

/// What is left of c without its part in the span of S.
template <class Rows, class Column>
OUTCROP_HD Remainder<Element<Column>> remainder(const FitView& fit, Rows c, Rows y, Column of_c) {
  using Lane = Element<Column>;
  Remainder<Lane> sums{Lane(0.0), Lane(0.0), Lane(0.0)};
  for (std::int32_t i = 0; i < fit.num_rows; ++i) {
    const Lane left = c[i] - add_products(fit.rank, fit.basis + std::int64_t{i} * fit.rank, of_c, Lane(0.0));
    sums.whole = sums.whole + c[i] * c[i];
    sums.square = sums.square + left * left;
    sums.product = sums.product + left * y[i];
  }
  return sums;
}

/// a' gram b.
template <class Column, class Other>
OUTCROP_HD Element<Column> gram_product(const FitView& fit, Column a, Other b) {
  using Lane = Element<Column>;
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
template <class Column>
OUTCROP_HD Element<Column> predicted(const FitView& fit, std::int32_t date, Column coefficient) {
  using Lane = Element<Column>;
  return add_products(fit.rank, fit.predict + std::int64_t{date} * fit.rank, coefficient, Lane(0.0));
}

}  // namespace outcrop::model::pixel
