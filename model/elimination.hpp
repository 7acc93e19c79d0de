// Elimination: the order in which the dates of a network are eliminated, and every index that this needs, made once a
// scene. The arithmetic that follows it is in model/pixel/star_mesh.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "model/network.hpp"

namespace outcrop::model {

/// What a pixel needs of an Elimination: plain pointers, the same on the host and on a device.
/// Dates are named by their position in the order of elimination. Edges are those of the filled graph: edge e of
/// position k joins k with the later position neighbour[e], and the edges of a position are consecutive.
struct EliminationView {
  std::int32_t num_dates = 0;
  std::int32_t num_pairs = 0;
  std::int32_t num_edges = 0;
  const std::int32_t* position = nullptr;     ///< [D] position of each date
  const std::int32_t* pair_first = nullptr;   ///< [M] position of the pair's first date
  const std::int32_t* pair_second = nullptr;  ///< [M] position of its second date
  const std::int32_t* pair_edge = nullptr;    ///< [M] its edge
  const std::int32_t* edge_begin = nullptr;   ///< [D + 1] edges of position k: edge_begin[k] .. edge_begin[k + 1] - 1
  const std::int32_t* neighbour = nullptr;    ///< [E]
  const std::int32_t* target = nullptr;       ///< for each position, for its edges i < j: the edge of their neighbours
};

/// Owns the arrays of an EliminationView.
struct Elimination {
  std::vector<std::int32_t> position;
  std::vector<std::int32_t> pair_first;
  std::vector<std::int32_t> pair_second;
  std::vector<std::int32_t> pair_edge;
  std::vector<std::int32_t> edge_begin;
  std::vector<std::int32_t> neighbour;
  std::vector<std::int32_t> target;

  EliminationView view() const;
  std::int32_t num_edges() const { return static_cast<std::int32_t>(neighbour.size()); }
  std::int64_t num_operations() const;  ///< multiply-adds, additions and divisions for a pixel, forwards and backwards
  std::int64_t num_bytes() const;
};

/// In the order of dates, which gives a band for networks of near neighbours, or by minimum fill where that costs fewer
/// operations. Deterministic. The pairs join different dates.
Elimination plan_elimination(const Network& network);

/// In a given order: `order` [D] holds each date once.
Elimination plan_elimination(const Network& network, const std::vector<int>& order);

}  // namespace outcrop::model
