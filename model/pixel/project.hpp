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

/// Likewise: above it sums less the part of them in the span of S will do, below it what is left is found row by row.
/// Rounding of a difference grows with the dates, by the root of their number as a rule, and the product c'y loses of
/// |c| |y|, not of itself. What holds is a corrected series that is good to about 1e-12 of |y|, to 1e-11 at worst.
inline constexpr double doubtful_square = 1e-3;

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

/// Values of the rows from those of the dates, value_at(date): made when they are asked for, which costs less than
/// keeping them.
template <class Value>
class RowsOfDates {
 public:
  OUTCROP_HD RowsOfDates(const FitView& fit, Value value_at) : fit_(fit), value_at_(value_at) {}

  OUTCROP_HD auto operator[](std::int32_t i) const {
    const auto value = value_at_(fit_.row_date[i]);
    if (fit_.row_minus == nullptr) return value;
    using Lane = decltype(value_at_(0));
    return (value - value_at_(fit_.row_minus[i])) * Lane(fit_.row_factor[i]);
  }

 private:
  const FitView& fit_;
  Value value_at_;
};

/// The same, kept.
template <class Value, class Column>
OUTCROP_HD void rows_of_dates(const FitView& fit, const Value& value_at, Column rows) {
  const RowsOfDates from(fit, value_at);
  for (std::int32_t i = 0; i < fit.num_rows; ++i) rows[i] = from[i];
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

/// Products of whole rows.
template <class Lane>
struct Moments {
  Lane square{0.0};   ///< c . c
  Lane product{0.0};  ///< c . y

  OUTCROP_HD void add(const Lane& c, const Lane& y) {
    square = square + c * c;
    product = product + c * y;
  }
};

/// Coefficients [rank] of rows c and y in the basis, and their moments in passing: c[i] and y[i] may be costly.
template <class C, class Y, class Column>
OUTCROP_HD Moments<Element<Column>> coefficients(const FitView& fit, const C& c, const Y& y, Column of_c, Column of_y) {
  using Lane = Element<Column>;
  Moments<Lane> moments;
  if (fit.rank == 0) {
    for (std::int32_t i = 0; i < fit.num_rows; ++i) moments.add(c[i], y[i]);
  }
  for (std::int32_t j = 0; j < fit.rank; j += basis_group) {
    GroupSums<Lane> sum_c{Lane(0.0), Lane(0.0), Lane(0.0), Lane(0.0)};
    GroupSums<Lane> sum_y{Lane(0.0), Lane(0.0), Lane(0.0), Lane(0.0)};
    moments = {};  // the same in each group
    for (std::int32_t i = 0; i < fit.num_rows; ++i) {
      const double* const q = fit.basis + std::int64_t{i} * fit.rank + j;
      const Lane c_i = c[i];
      const Lane y_i = y[i];
      sum_c.add(q, c_i);
      sum_y.add(q, y_i);
      moments.add(c_i, y_i);
    }
    sum_c.store(of_c + j);
    sum_y.store(of_y + j);
  }
  return moments;
}

template <class Lane>
struct Remainder {
  Lane whole;    ///< c . c
  Lane square;   ///< of what is left of c
  Lane product;  ///< of what is left of c, with y
};

/// What is left of c without its part in the span of S, row by row: right however little is left.
template <class C, class Y, class Column>
OUTCROP_HD Remainder<Element<Column>> remainder_by_rows(const FitView& fit, const C& c, const Y& y, Column of_c) {
  using Lane = Element<Column>;
  Remainder<Lane> sums{Lane(0.0), Lane(0.0), Lane(0.0)};
  for (std::int32_t i = 0; i < fit.num_rows; ++i) {
    const Lane c_i = c[i];
    const Lane left = c_i - add_products(fit.rank, fit.basis + std::int64_t{i} * fit.rank, of_c, Lane(0.0));
    sums.whole = sums.whole + c_i * c_i;
    sums.square = sums.square + left * left;
    sums.product = sums.product + left * y[i];
  }
  return sums;
}

/// The same from the moments and coefficients that coefficients() gave, by Pythagoras; by rows at the pixels among
/// `wanted` where too little is left for a difference of squares.
template <class Mask, class C, class Y, class Column>
OUTCROP_HD Remainder<Element<Column>> remainder(const FitView& fit, const Mask& wanted, const C& c, const Y& y,
                                                Column of_c, Column of_y, const Moments<Element<Column>>& moments) {
  using Lane = Element<Column>;
  Remainder<Lane> sums{moments.square, moments.square, moments.product};
  for (std::int32_t j = 0; j < fit.rank; ++j) {
    sums.square = sums.square - of_c[j] * of_c[j];
    sums.product = sums.product - of_c[j] * of_y[j];
  }
  const auto doubtful = wanted & (sums.square <= Lane(doubtful_square) * sums.whole);
  if (!any(doubtful)) return sums;
  const Remainder<Lane> by_rows = remainder_by_rows(fit, c, y, of_c);
  return {select(doubtful, by_rows.whole, sums.whole), select(doubtful, by_rows.square, sums.square),
          select(doubtful, by_rows.product, sums.product)};
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

template <class Lane, class Mask>
struct OwnFit {
  Lane slope;      ///< e; 0 where not wanted
  Mask dependent;  ///< among the wanted: c is in the span of S
  Mask zero;       ///< ... being 0 at every row
};

/// The fit of a pixel with a column of its own. `coefficient` [rank]: becomes that of S; of_c [rank]: working memory.
template <class Mask, class C, class Y, class Column, class Lane = Element<Column>>
OUTCROP_HD OwnFit<Lane, Mask> fit_own(const FitView& fit, const Mask& wanted, const C& c, const Y& y,
                                      const Lane& lever_m, Column of_c, Column coefficient) {
  const auto moments = coefficients(fit, c, y, of_c, coefficient);
  const auto sums = remainder(fit, wanted, c, y, of_c, coefficient, moments);
  const Mask independent = sums.square > Lane(dependent_square) * sums.whole;
  const Mask dependent = without(wanted, independent);
  Lane slope = sums.product / select(independent, sums.square, Lane(1.0));
  if (any(dependent)) {
    const Lane square = gram_product(fit, of_c, of_c);
    const Lane product = gram_product(fit, of_c, coefficient);
    slope = select(dependent, least_norm_slope(square, product, lever_m), slope);
  }
  slope = select(wanted, slope, Lane(0.0));
  for (std::int32_t j = 0; j < fit.rank; ++j) coefficient[j] = coefficient[j] - of_c[j] * slope;
  return {slope, dependent, without(dependent, sums.whole != Lane(0.0))};
}

/// S x at a date, from the coefficients [rank].
template <class Column>
OUTCROP_HD Element<Column> predicted(const FitView& fit, std::int32_t date, Column coefficient) {
  using Lane = Element<Column>;
  return add_products(fit.rank, fit.predict + std::int64_t{date} * fit.rank, coefficient, Lane(0.0));
}

}  // namespace outcrop::model::pixel
