// Orders and indices of the elimination of a network.
#include "model/elimination.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/networks.hpp"

using namespace outcrop;
using test::Random;

namespace {

bool is_permutation_of_dates(const std::vector<std::int32_t>& position) {
  std::vector<std::int32_t> sorted = position;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<std::int32_t>(i)) return false;
  }
  return true;
}

/// Owner position of each edge.
std::vector<std::int32_t> owners(const model::Elimination& plan) {
  std::vector<std::int32_t> owner;
  for (std::size_t k = 0; k + 1 < plan.edge_begin.size(); ++k) {
    owner.resize(static_cast<std::size_t>(plan.edge_begin[k + 1]), static_cast<std::int32_t>(k));
  }
  return owner;
}

bool joins(const model::Elimination& plan, const std::vector<std::int32_t>& owner, std::int32_t edge, std::int32_t a,
           std::int32_t b) {
  const auto e = static_cast<std::size_t>(edge);
  return edge >= 0 && owner[e] == std::min(a, b) && plan.neighbour[e] == std::max(a, b);
}

void check_plan(const model::Network& network, const model::Elimination& plan) {
  const std::vector<std::int32_t> owner = owners(plan);
  REQUIRE(is_permutation_of_dates(plan.position));
  REQUIRE(owner.size() == plan.neighbour.size());
  for (std::size_t k = 0; k < network.pairs.size(); ++k) {
    CHECK(plan.pair_first[k] == plan.position[static_cast<std::size_t>(network.pairs[k].first)]);
    CHECK(plan.pair_second[k] == plan.position[static_cast<std::size_t>(network.pairs[k].second)]);
    CHECK(joins(plan, owner, plan.pair_edge[k], plan.pair_first[k], plan.pair_second[k]));
  }
  std::size_t next = 0;
  std::int64_t num_wrong = 0;
  for (std::size_t k = 0; k + 1 < plan.edge_begin.size(); ++k) {
    for (auto i = static_cast<std::size_t>(plan.edge_begin[k]); i < static_cast<std::size_t>(plan.edge_begin[k + 1]);
         ++i) {
      for (std::size_t j = i + 1; j < static_cast<std::size_t>(plan.edge_begin[k + 1]); ++j, ++next) {
        if (!joins(plan, owner, plan.target.at(next), plan.neighbour[i], plan.neighbour[j])) ++num_wrong;
      }
    }
  }
  CHECK(num_wrong == 0);
  CHECK(next == plan.target.size());
}

}  // namespace

TEST_CASE("near neighbours in date order fill nothing") {
  Random random(1);
  model::Network network = test::dates_only(random, 98);
  test::add_near_pairs(network, 5);
  const model::Elimination plan = model::plan_elimination(network);
  CHECK(plan.num_edges() == 475);
  for (std::int32_t n = 0; n < 98; ++n) CHECK(plan.position[static_cast<std::size_t>(n)] == n);
  check_plan(network, plan);
}

TEST_CASE("a star is eliminated from its points") {
  model::Network network;
  network.dates = {"a", "b", "c", "d", "e"};
  network.pairs = {{0, 1}, {0, 2}, {3, 0}, {0, 4}};
  const model::Elimination plan = model::plan_elimination(network);
  CHECK(plan.num_edges() == 4);  // by date the four points would become a mesh of 6 more
  CHECK(plan.target.empty());
  check_plan(network, plan);
}

TEST_CASE("every shape of network gives a consistent plan, the same each time") {
  Random random(2);
  for (const auto shape : test::all_network_shapes) {
    for (const int num_dates : {2, 3, 9, 40, 70}) {
      model::Network network = test::make_test_network(random, shape, num_dates);
      test::disturb_pairs(random, network);
      const model::Elimination plan = model::plan_elimination(network);
      check_plan(network, plan);
      CHECK(plan.target == model::plan_elimination(network).target);
      std::vector<int> by_date(static_cast<std::size_t>(num_dates));
      std::iota(by_date.begin(), by_date.end(), 0);
      CHECK(plan.num_operations() <= model::plan_elimination(network, by_date).num_operations());
    }
  }
}

TEST_CASE("large networks keep their plans small") {
  Random random(3);
  model::Network many = test::dates_only(random, 333);
  test::add_near_pairs(many, 4);
  CHECK(model::plan_elimination(many).num_edges() == 1322);

  model::Network with_long_pairs = test::dates_only(random, 98);
  test::add_near_pairs(with_long_pairs, 5);
  test::add_random_pairs(random, with_long_pairs, 36);
  const model::Elimination plan = model::plan_elimination(with_long_pairs);
  check_plan(with_long_pairs, plan);
  CHECK(plan.num_edges() < 1200);

  model::Network full = test::dates_only(random, 78);
  test::add_near_pairs(full, 78);
  CHECK(model::plan_elimination(full).num_edges() == 3003);
}
