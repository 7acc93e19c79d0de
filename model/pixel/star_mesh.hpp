// Weighted least squares on a network by elimination of its graph Laplacian: a date goes, and its star of edges becomes
// a mesh among its neighbours. Only sums and products of non-negative conductances occur, so nothing cancels whatever
// the condition, and a date whose remaining edges sum to exactly 0 is the last of its island: cut pixels need no rank
// test.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "model/elimination.hpp"
#include "model/pixel/column.hpp"
#include "model/pixel/lane.hpp"

namespace outcrop::model::pixel {

/// Adds one observation to the right-hand side b [D] (by position). weight: >= 0, 0 where there is no data; phase
/// [rad].
template <class Lane, class Column>
OUTCROP_HD void add_flow(const EliminationView& plan, std::int32_t pair, const Lane& weight, const Lane& phase,
                         Column b) {
  const Lane flow = weight * phase;
  Lane& first = b[plan.pair_first[pair]];
  Lane& second = b[plan.pair_second[pair]];
  first = first - flow;
  second = second + flow;
}

/// Adds one observation to the normal equations.
/// weight: >= 0, 0 where there is no data; phase [rad]; conductance [E] and b [D] (by position) must start as 0.
template <class Lane, class Column>
OUTCROP_HD void add_pair(const EliminationView& plan, std::int32_t pair, const Lane& weight, const Lane& phase,
                         Column conductance, Column b) {
  Lane& edge = conductance[plan.pair_edge[pair]];
  edge = edge + weight;
  add_flow(plan, pair, weight, phase, b);
}

/// Eliminates all dates in order. conductance [E] and b [D] are changed in place; inverse [D] becomes 1 / (sum of the
/// conductances to later neighbours), 0 at the last date of each island.
/// Gives: the number of islands of the pixel.
template <class Column>
OUTCROP_HD Element<Column> eliminate(const EliminationView& plan, Column conductance, Column b, Column inverse) {
  using Lane = Element<Column>;
  Lane num_islands(0.0);
  const std::int32_t* target = plan.target;
  for (std::int32_t k = 0; k < plan.num_dates; ++k) {
    const std::int32_t end = plan.edge_begin[k + 1];
    Lane sum(0.0);
    for (std::int32_t e = plan.edge_begin[k]; e < end; ++e) sum = sum + conductance[e];
    const auto connected = sum > Lane(0.0);
    const Lane scale = select(connected, Lane(1.0) / select(connected, sum, Lane(1.0)), Lane(0.0));
    num_islands = num_islands + select(connected, Lane(0.0), Lane(1.0));
    inverse[k] = scale;
    const Lane potential = b[k] * scale;
    for (std::int32_t e = plan.edge_begin[k]; e < end; ++e) {
      const Lane edge = conductance[e];
      Lane& later = b[plan.neighbour[e]];
      later = later + edge * potential;
      const Lane share = edge * scale;
      for (std::int32_t f = e + 1; f < end; ++f, ++target) {
        conductance[*target] = conductance[*target] + share * conductance[f];
      }
    }
  }
  return num_islands;
}

/// Turns b [D] into the phases x [D] rad, by position; the last date of each island is 0.
template <class Edges, class Dates, class Column>
OUTCROP_HD void back_substitute(const EliminationView& plan, Edges conductance, Dates inverse, Column b) {
  using Lane = Element<Column>;
  for (std::int32_t k = plan.num_dates - 1; k >= 0; --k) {
    Lane sum = b[k];
    for (std::int32_t e = plan.edge_begin[k]; e < plan.edge_begin[k + 1]; ++e) {
      sum = sum + conductance[e] * b[plan.neighbour[e]];
    }
    b[k] = sum * inverse[k];
  }
}

}  // namespace outcrop::model::pixel
