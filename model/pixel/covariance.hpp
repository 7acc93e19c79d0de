// The covariance of a pixel's series that the noise of its observations causes: with P the pseudo-inverse of the
// unweighted network relative to a reference date and S the variances of the pairs, C = P S P'. With G, any generalised
// inverse of the unweighted graph Laplacian (the star-mesh elimination gives one), and W, the Laplacian whose
// conductances are the variances, G W G is the same up to a constant for each island; the constants follow from the
// reference date and, in other islands, from the mean 0 of the minimum norm.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "model/elimination.hpp"
#include "model/pixel/column.hpp"
#include "model/pixel/components.hpp"
#include "model/pixel/lane.hpp"
#include "model/pixel/star_mesh.hpp"

namespace outcrop::model::pixel {

/// Solves the eliminated network for another right-hand side: b [D] by position becomes the potentials, in place.
template <class Column>
OUTCROP_HD void solve_again(const EliminationView& plan, Column conductance, Column inverse, Column b) {
  using Lane = Element<Column>;
  for (std::int32_t k = 0; k < plan.num_dates; ++k) {
    const Lane potential = b[k] * inverse[k];
    for (std::int32_t e = plan.edge_begin[k]; e < plan.edge_begin[k + 1]; ++e) {
      Lane& later = b[plan.neighbour[e]];
      later = later + conductance[e] * potential;
    }
  }
  back_substitute(plan, conductance, inverse, b);
}

/// Adds the variance of one pair to the Laplacian W [D * D] by position.
template <class Lane, class Column>
OUTCROP_HD void add_variance(const EliminationView& plan, std::int32_t pair, const Lane& variance, Column laplacian) {
  const std::int64_t a = plan.pair_first[pair];
  const std::int64_t b = plan.pair_second[pair];
  const std::int64_t count = plan.num_dates;
  laplacian[a * count + a] = laplacian[a * count + a] + variance;
  laplacian[b * count + b] = laplacian[b * count + b] + variance;
  laplacian[a * count + b] = laplacian[a * count + b] - variance;
  laplacian[b * count + a] = laplacian[b * count + a] - variance;
}

/// W becomes G W G, both [D * D] and symmetric.
template <class Column>
OUTCROP_HD void propagate(const EliminationView& plan, Column conductance, Column inverse, Column square) {
  using Lane = Element<Column>;
  const std::int64_t count = plan.num_dates;
  for (std::int64_t i = 0; i < count; ++i) solve_again(plan, conductance, inverse, square + i * count);
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      const Lane above = square[j * count + i];
      square[j * count + i] = square[i * count + j];
      square[i * count + j] = above;
    }
  }
  for (std::int64_t i = 0; i < count; ++i) solve_again(plan, conductance, inverse, square + i * count);
}

/// For pixels of one island: makes a covariance relative to the date at position `reference`.
/// at_reference [D]: scratch.
template <class Column>
OUTCROP_HD void refer_to_date(std::int64_t num_dates, std::int64_t reference, Column square, Column at_reference) {
  using Lane = Element<Column>;
  for (std::int64_t i = 0; i < num_dates; ++i) at_reference[i] = square[reference * num_dates + i];
  const Lane variance = at_reference[reference];
  for (std::int64_t i = 0; i < num_dates; ++i) {
    for (std::int64_t j = 0; j < num_dates; ++j) {
      Lane& c = square[i * num_dates + j];
      c = c - at_reference[i] - at_reference[j] + variance;
    }
  }
}

/// For one island of one pixel: shift [D] becomes, at its dates, the covariance with what the island is to be relative
/// to, the reference date or the mean of its dates. Gives: the variance of that.
template <class Islands, class Column>
OUTCROP_HD double island_shift(std::int64_t num_dates, std::int32_t island, std::int32_t reference, int lane,
                               const Islands& scratch, Column square, Column shift) {
  if (island == scratch.island[reference]) {
    for (std::int64_t i = 0; i < num_dates; ++i) {
      if (scratch.island[i] == island) set(shift[i], lane, get(square[i * num_dates + reference], lane));
    }
    return get(square[reference * num_dates + reference], lane);
  }
  double size = 0;
  for (std::int64_t j = 0; j < num_dates; ++j) size += scratch.island[j] == island ? 1 : 0;
  double variance = 0;
  for (std::int64_t i = 0; i < num_dates; ++i) {
    if (scratch.island[i] != island) continue;
    double sum = 0;
    for (std::int64_t j = 0; j < num_dates; ++j) {
      if (scratch.island[j] == island) sum += get(square[i * num_dates + j], lane);
    }
    set(shift[i], lane, sum / size);
    variance += sum / (size * size);
  }
  return variance;
}

/// For one pixel of several islands: the island of the reference date becomes relative to that date, the others to the
/// mean of their dates. What refer_to_date() subtracts afterwards is 0 but for rounding. shift [D]: scratch.
template <class Islands, class Column>
OUTCROP_HD void refer_islands(const EliminationView& plan, Column conductance, Column inverse, std::int32_t reference,
                              int lane, const Islands& scratch, Column square, Column shift) {
  using Lane = Element<Column>;
  const std::int64_t count = plan.num_dates;
  const std::int32_t num_islands = find_islands(plan, conductance, inverse, reference, lane, scratch);
  for (std::int32_t island = 0; island < num_islands; ++island) {
    const double variance = island_shift(count, island, reference, lane, scratch, square, shift);
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t j = 0; j < count; ++j) {
        if (scratch.island[i] != island || scratch.island[j] != island) continue;
        Lane& c = square[i * count + j];
        set(c, lane, get(c, lane) - get(shift[i], lane) - get(shift[j], lane) + variance);
      }
    }
  }
}

}  // namespace outcrop::model::pixel
