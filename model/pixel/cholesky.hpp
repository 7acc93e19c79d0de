// Least squares of one pixel by normal equations and Cholesky's factor: the general path, which knows nothing of the
// structure of the design matrix. A pixel whose columns nearly depend on each other is marked, not solved: its answer
// of least norm comes from the reference (cpu/reference).
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "model/pixel/lane.hpp"

namespace outcrop::model::pixel {

/// A pivot up to this share of its diagonal marks the pixel: the squared sine of the angle between a column and the
/// span of those before it, whatever their units. Rounding makes of an exact 0 something up to 1e-13, and of a solution
/// an error of 1e-16 over the least pivot; whole networks seldom have one below 1e-6 (docs/numerics.md).
inline constexpr double weakest_pivot = 1e-7;

/// Whether a column is independent of those before it. NaN is not.
template <class Lane>
OUTCROP_HD auto is_strong(const Lane& pivot, const Lane& diagonal) {
  return pivot > Lane(weakest_pivot) * diagonal;
}

/// The products of columns i and i + 1 of G with columns j and j + 1; named one by one, for an array would go through
/// memory.
template <class Lane>
struct ColumnProducts {
  Lane first_first;
  Lane first_second;
  Lane second_first;
  Lane second_second;
};

/// Sums over `num_rows` rows, `size` numbers apart. first, second: of columns i; other, another: of columns j.
template <class Lane>
OUTCROP_HD ColumnProducts<Lane> column_products(std::int32_t num_rows, std::int32_t size, const Lane* first,
                                                const Lane* second, const Lane* other, const Lane* another) {
  ColumnProducts<Lane> sum{Lane(0.0), Lane(0.0), Lane(0.0), Lane(0.0)};
  const std::int64_t end = std::int64_t{num_rows} * size;
  for (std::int64_t at = 0; at < end; at += size) {
    sum.first_first = sum.first_first + first[at] * other[at];
    sum.first_second = sum.first_second + first[at] * another[at];
    sum.second_first = sum.second_first + second[at] * other[at];
    sum.second_second = sum.second_second + second[at] * another[at];
  }
  return sum;
}

/// Adds G'G of some rows to `normal` [size, size], column after column, of which only the lower triangle means
/// something (as LAPACK and cuSOLVER want it). design [num_rows, size]: G, row after row, weighted.
template <class Lane>
OUTCROP_HD void add_normal_matrix(std::int32_t num_rows, std::int32_t size, const Lane* design, Lane* normal) {
  for (std::int32_t j = 0; j < size; j += 2) {
    const std::int32_t next_j = j + 1 < size ? j + 1 : j;
    for (std::int32_t i = j; i < size; i += 2) {
      const std::int32_t next_i = i + 1 < size ? i + 1 : i;
      const auto sum = column_products(num_rows, size, design + i, design + next_i, design + j, design + next_j);
      Lane* const column = normal + std::int64_t{j} * size;
      column[i] = column[i] + sum.first_first;
      if (next_i != i) column[next_i] = column[next_i] + sum.second_first;
      if (next_j == j) continue;
      Lane* const next = normal + std::int64_t{next_j} * size;
      if (i != j) next[i] = next[i] + sum.first_second;
      if (next_i != i) next[next_i] = next[next_i] + sum.second_second;
    }
  }
}

/// Adds G'y of some rows to `side` [size]. observed [num_rows]: y, weighted as G is.
template <class Lane>
OUTCROP_HD void add_normal_side(std::int32_t num_rows, std::int32_t size, const Lane* design, const Lane* observed,
                                Lane* side) {
  for (std::int32_t i = 0; i < num_rows; ++i) {
    const Lane* const row = design + std::int64_t{i} * size;
    for (std::int32_t j = 0; j < size; ++j) side[j] = side[j] + row[j] * observed[i];
  }
}

/// Turns the lower triangle of `normal` [size, size] into Cholesky's factor L, in place: N = L L'.
/// Gives: how many columns are not strong, 0 at a pixel of full rank. Behind a weak column L goes on as if it were not
/// there, so that all numbers stay finite.
template <class Lane>
OUTCROP_HD Lane cholesky_factor(std::int32_t size, Lane* normal) {
  Lane num_weak(0.0);
  for (std::int32_t j = 0; j < size; ++j) {
    Lane* const column = normal + std::int64_t{j} * size;
    const Lane diagonal = column[j];
    for (std::int32_t k = 0; k < j; ++k) {
      const Lane* const earlier = normal + std::int64_t{k} * size;
      const Lane share = earlier[j];
      for (std::int32_t i = j; i < size; ++i) column[i] = column[i] - earlier[i] * share;
    }
    const auto strong = is_strong(column[j], diagonal);
    num_weak = num_weak + select(strong, Lane(0.0), Lane(1.0));
    const Lane length = root(select(strong, column[j], Lane(1.0)));
    const Lane scale = select(strong, Lane(1.0) / length, Lane(0.0));
    column[j] = length;
    for (std::int32_t i = j + 1; i < size; ++i) column[i] = select(strong, column[i] * scale, Lane(0.0));
  }
  return num_weak;
}

/// Solves L L' x = side by two triangles; side [size] becomes x. factor [size, size]: of cholesky_factor().
template <class Lane>
OUTCROP_HD void cholesky_solve(std::int32_t size, const Lane* factor, Lane* side) {
  for (std::int32_t j = 0; j < size; ++j) {
    const Lane* const column = factor + std::int64_t{j} * size;
    side[j] = side[j] / column[j];
    for (std::int32_t i = j + 1; i < size; ++i) side[i] = side[i] - column[i] * side[j];
  }
  for (std::int32_t j = size - 1; j >= 0; --j) {
    const Lane* const column = factor + std::int64_t{j} * size;
    Lane sum = side[j];
    for (std::int32_t i = j + 1; i < size; ++i) sum = sum - column[i] * side[i];
    side[j] = sum / column[j];
  }
}

}  // namespace outcrop::model::pixel
