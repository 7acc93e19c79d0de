// Elimination: orders and indices for eliminating the dates of a network.
#include "model/elimination.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "core/check.hpp"

namespace outcrop::model {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// An undirected graph on the dates that are still there, as rows of bits.
class Graph {
 public:
  explicit Graph(const Network& network)
      : num_dates_(network.num_dates()), words_((num_dates_ + 63) / 64), bits_(at(std::int64_t{num_dates_} * words_)) {
    for (const Pair& pair : network.pairs) join(pair.first, pair.second);
  }

  std::vector<int> neighbours(int date) const {
    std::vector<int> found;
    for (int w = 0; w < words_; ++w) {
      for (std::uint64_t rest = row(date)[w]; rest != 0; rest &= rest - 1)
        found.push_back(64 * w + std::countr_zero(rest));
    }
    return found;
  }

  /// Edges that eliminating the date would add.
  std::int64_t fill(int date) const {
    std::int64_t missing = 0;
    for (const int m : neighbours(date)) {
      for (int w = 0; w < words_; ++w) missing += std::popcount(row(date)[w] & ~row(m)[w]);
      --missing;  // m is no neighbour of itself
    }
    return missing / 2;
  }

  /// Joins all neighbours of the date with each other and takes the date away.
  void eliminate(int date) {
    const std::vector<int> star = neighbours(date);
    for (const int m : star) {
      for (int w = 0; w < words_; ++w) row(m)[w] |= row(date)[w];
      clear(m, m);
      clear(m, date);
    }
    std::fill_n(row(date), words_, std::uint64_t{0});
  }

 private:
  std::uint64_t* row(int date) { return bits_.data() + at(std::int64_t{date} * words_); }
  const std::uint64_t* row(int date) const { return bits_.data() + at(std::int64_t{date} * words_); }
  void join(int a, int b) {
    row(a)[b / 64] |= std::uint64_t{1} << (b % 64);
    row(b)[a / 64] |= std::uint64_t{1} << (a % 64);
  }
  void clear(int a, int b) { row(a)[b / 64] &= ~(std::uint64_t{1} << (b % 64)); }

  int num_dates_;
  int words_;
  std::vector<std::uint64_t> bits_;
};

std::vector<int> date_order(const Network& network) {
  std::vector<int> order(network.dates.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Greedy: always the date that adds the fewest edges, of several the earliest.
std::vector<int> minimum_fill_order(const Network& network) {
  constexpr std::int64_t gone = std::numeric_limits<std::int64_t>::max();
  Graph graph(network);
  std::vector<std::int64_t> fill(network.dates.size());
  for (std::size_t n = 0; n < fill.size(); ++n) fill[n] = graph.fill(static_cast<int>(n));
  std::vector<int> order;
  while (order.size() < fill.size()) {
    const auto best = std::min_element(fill.begin(), fill.end());
    const int date = static_cast<int>(best - fill.begin());
    order.push_back(date);
    *best = gone;
    const std::vector<int> star = graph.neighbours(date);
    graph.eliminate(date);
    // New edges lie between neighbours of the date, so only they and their neighbours can have another fill now.
    std::vector<int> touched = star;
    for (const int m : star) {
      for (const int n : graph.neighbours(m)) touched.push_back(n);
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const int n : touched) fill[at(n)] = graph.fill(n);
  }
  return order;
}

/// Edge of each two positions while a plan is built; -1: none.
class EdgeTable {
 public:
  explicit EdgeTable(std::int64_t num_dates) : num_dates_(num_dates), edge_(at(num_dates * num_dates), -1) {}
  std::int32_t& operator()(std::int32_t a, std::int32_t b) {
    return edge_[at(std::min(a, b) * num_dates_ + std::max(a, b))];
  }

 private:
  std::int64_t num_dates_;
  std::vector<std::int32_t> edge_;
};

/// Eliminates symbolically: fills edge_begin and neighbour, and gives the edges by positions.
EdgeTable find_edges(const Network& network, const std::vector<int>& order, Elimination& plan) {
  EdgeTable edges(network.num_dates());
  Graph graph(network);
  plan.edge_begin.push_back(0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::vector<std::int32_t> later;
    for (const int m : graph.neighbours(order[k])) later.push_back(plan.position[at(m)]);
    std::sort(later.begin(), later.end());
    for (const std::int32_t m : later) {
      edges(static_cast<std::int32_t>(k), m) = plan.num_edges();
      plan.neighbour.push_back(m);
    }
    plan.edge_begin.push_back(plan.num_edges());
    graph.eliminate(order[k]);
  }
  return edges;
}

}  // namespace

EliminationView Elimination::view() const {
  EliminationView view;
  view.num_dates = static_cast<std::int32_t>(position.size());
  view.num_pairs = static_cast<std::int32_t>(pair_edge.size());
  view.num_edges = num_edges();
  view.position = position.data();
  view.pair_first = pair_first.data();
  view.pair_second = pair_second.data();
  view.pair_edge = pair_edge.data();
  view.edge_begin = edge_begin.data();
  view.neighbour = neighbour.data();
  view.target = target.data();
  return view;
}

std::int64_t Elimination::num_operations() const {
  // For a position with r edges: r additions, a division, r (r + 1) / 2 updates with r products, r steps back.
  return static_cast<std::int64_t>(target.size()) + 4 * std::int64_t{num_edges()} +
         2 * static_cast<std::int64_t>(position.size());
}

std::int64_t Elimination::num_bytes() const {
  const std::size_t count = position.size() + pair_first.size() + pair_second.size() + pair_edge.size() +
                            edge_begin.size() + neighbour.size() + target.size();
  return static_cast<std::int64_t>(count * sizeof(std::int32_t));
}

Elimination plan_elimination(const Network& network, const std::vector<int>& order) {
  OUTCROP_EXPECT(order.size() == network.dates.size(), "an elimination order needs every date once");
  Elimination plan;
  plan.position.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) plan.position[at(order[k])] = static_cast<std::int32_t>(k);
  EdgeTable edges = find_edges(network, order, plan);
  for (const Pair& pair : network.pairs) {
    OUTCROP_EXPECT(pair.first != pair.second, "a pair must join two different dates");
    plan.pair_first.push_back(plan.position[at(pair.first)]);
    plan.pair_second.push_back(plan.position[at(pair.second)]);
    plan.pair_edge.push_back(edges(plan.pair_first.back(), plan.pair_second.back()));
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (std::int32_t i = plan.edge_begin[k]; i < plan.edge_begin[k + 1]; ++i) {
      for (std::int32_t j = i + 1; j < plan.edge_begin[k + 1]; ++j) {
        plan.target.push_back(edges(plan.neighbour[at(i)], plan.neighbour[at(j)]));
      }
    }
  }
  return plan;
}

Elimination plan_elimination(const Network& network) {
  Elimination by_date = plan_elimination(network, date_order(network));
  // Without fill nothing can be won: this saves the search on complete and near-neighbour networks.
  std::vector<std::int32_t> used = by_date.pair_edge;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  if (static_cast<std::int32_t>(used.size()) == by_date.num_edges()) return by_date;
  Elimination by_fill = plan_elimination(network, minimum_fill_order(network));
  return by_fill.num_operations() < by_date.num_operations() ? std::move(by_fill) : std::move(by_date);
}

}  // namespace outcrop::model
