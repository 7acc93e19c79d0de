// The islands of one pixel whose network fell apart, and the offsets between them that make the norm of the answer
// least. Works on one pixel of a pack at a time: cut pixels are few, and their islands differ.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "model/elimination.hpp"
#include "model/pixel/column.hpp"
#include "model/pixel/lane.hpp"

namespace outcrop::model::pixel {

/// Doubles that IslandScratch::coupling needs: edges between all islands when every date is one.
OUTCROP_HD constexpr std::int64_t num_couplings(std::int64_t num_dates) { return num_dates * (num_dates - 1) / 2; }

template <class Integers, class Doubles>
struct IslandColumns {
  Integers island{};   ///< [D] by position
  Integers number{};   ///< [D]
  Doubles offset{};    ///< [D] by island
  Doubles coupling{};  ///< [num_couplings(islands)], at most num_couplings(D); only the velocity norm needs it
};

using IslandScratch = IslandColumns<std::int32_t*, double*>;

/// Numbers the islands of a pixel by their last dates, but that of the date at position `ground` last: eliminated in
/// this order their graph stays sparse, and the island that keeps its place grounds the others. Gives: their number.
template <class Edges, class Dates, class Islands>
OUTCROP_HD std::int32_t find_islands(const EliminationView& plan, Edges conductance, Dates inverse, std::int32_t ground,
                                     int lane, const Islands& scratch) {
  std::int32_t count = 0;
  for (std::int32_t k = plan.num_dates - 1; k >= 0; --k) {
    scratch.number[k] = -1;
    if (get(inverse[k], lane) > 0) {
      std::int32_t e = plan.edge_begin[k];
      while (!(get(conductance[e], lane) > 0)) ++e;
      scratch.island[k] = scratch.island[plan.neighbour[e]];
    } else {
      scratch.island[k] = k;
      ++count;
    }
  }
  std::int32_t next = count - 1;
  scratch.number[scratch.island[ground]] = next--;
  for (std::int32_t date = plan.num_dates - 1; date >= 0; --date) {
    std::int32_t& number = scratch.number[scratch.island[plan.position[date]]];
    if (number < 0) number = next--;
  }
  for (std::int32_t k = 0; k < plan.num_dates; ++k) scratch.island[k] = scratch.number[scratch.island[k]];
  return count;
}

/// Adds each island's offset to the phases x [D] of the pixel.
template <class Islands, class Column>
OUTCROP_HD void add_offsets(const EliminationView& plan, int lane, const Islands& scratch, Column x) {
  for (std::int32_t k = 0; k < plan.num_dates; ++k)
    set(x[k], lane, get(x[k], lane) + scratch.offset[scratch.island[k]]);
}

/// Minimum norm of the phases relative to the date at position `origin`: every other island gets the mean 0.
template <class Edges, class Dates, class Islands, class Column>
OUTCROP_HD void shift_to_least_phase(const EliminationView& plan, Edges conductance, Dates inverse, std::int32_t origin,
                                     int lane, const Islands& scratch, Column x) {
  const std::int32_t count = find_islands(plan, conductance, inverse, origin, lane, scratch);
  const double first = get(x[origin], lane);
  for (std::int32_t i = 0; i < count; ++i) {
    scratch.offset[i] = 0;
    scratch.number[i] = 0;
  }
  for (std::int32_t k = 0; k < plan.num_dates; ++k) {
    scratch.offset[scratch.island[k]] += get(x[k], lane);
    ++scratch.number[scratch.island[k]];
  }
  for (std::int32_t i = 0; i < count; ++i) scratch.offset[i] = first - scratch.offset[i] / scratch.number[i];
  scratch.offset[count - 1] = 0;
  add_offsets(plan, lane, scratch, x);
}

/// Triangular storage of the edges between `count` islands: row i begins at its edge with i + 1.
OUTCROP_HD constexpr std::int64_t coupling_row(std::int64_t i, std::int64_t count) {
  return i * (2 * count - i - 1) / 2;
}

/// Star-mesh elimination of the graph of islands, whose last one is the ground; offset [count] holds the right-hand
/// side and becomes the answer. (A template so that each instruction set has its own.)
template <class Lane, class Doubles>
OUTCROP_HD void solve_islands(std::int32_t count, Doubles coupling, Doubles offset) {
  for (std::int32_t n = 0; n + 1 < count; ++n) {
    const Doubles edge = coupling + (coupling_row(n, count) - (n + 1));
    double sum = 0;
    for (std::int32_t m = n + 1; m < count; ++m) sum += edge[m];
    for (std::int32_t m = n + 1; m < count; ++m) {
      if (!(edge[m] > 0)) continue;
      const double share = edge[m] / sum;
      offset[m] += share * offset[n];
      const Doubles other = coupling + (coupling_row(m, count) - (m + 1));
      for (std::int32_t l = m + 1; l < count; ++l) other[l] += share * edge[l];
    }
    offset[n] /= sum;
  }
  offset[count - 1] = 0;
  for (std::int32_t n = count - 2; n >= 0; --n) {
    const Doubles edge = coupling + (coupling_row(n, count) - (n + 1));
    double sum = 0;
    double flow = 0;
    for (std::int32_t m = n + 1; m < count; ++m) {
      sum += edge[m];
      flow += edge[m] * offset[m];
    }
    offset[n] += flow / sum;
  }
}

/// Minimum norm of the velocities between neighbouring dates. Only steps from one island to another depend on the
/// offsets: each is an observation of their difference, with weight 1 / step^2, in a graph whose nodes are the islands.
/// step_yr [D - 1] years between neighbouring dates.
template <class Edges, class Dates, class Islands, class Column>
OUTCROP_HD void shift_to_least_velocity(const EliminationView& plan, Edges conductance, Dates inverse,
                                        const double* step_yr, int lane, const Islands& scratch, Column x) {
  const std::int32_t count = find_islands(plan, conductance, inverse, plan.position[0], lane, scratch);
  for (std::int32_t i = 0; i < count; ++i) scratch.offset[i] = 0;
  for (std::int64_t i = 0; i < num_couplings(count); ++i) scratch.coupling[i] = 0;
  for (std::int32_t date = 0; date + 1 < plan.num_dates; ++date) {
    const std::int32_t from = plan.position[date];
    const std::int32_t to = plan.position[date + 1];
    const std::int32_t a = scratch.island[from];
    const std::int32_t b = scratch.island[to];
    if (a == b) continue;
    const double weight = 1 / (step_yr[date] * step_yr[date]);
    const double flow = weight * (get(x[from], lane) - get(x[to], lane));
    scratch.offset[b] += flow;
    scratch.offset[a] -= flow;
    const std::int32_t low = a < b ? a : b;
    scratch.coupling[coupling_row(low, count) + (a < b ? b : a) - low - 1] += weight;
  }
  solve_islands<Element<Column>>(count, scratch.coupling, scratch.offset);
  add_offsets(plan, lane, scratch, x);
}

}  // namespace outcrop::model::pixel
