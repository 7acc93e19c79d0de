// Elimination of one pixel's network, its islands and their offsets, by hand.
#include "model/pixel/star_mesh.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "model/pixel/components.hpp"
#include "model/pixel/residual.hpp"

using namespace outcrop;
using model::Network;
namespace pixel = model::pixel;

namespace {

Network network_of(int num_dates, std::vector<model::Pair> pairs) {
  Network network;
  for (int n = 0; n < num_dates; ++n) network.dates.push_back(std::to_string(n));
  network.pairs = std::move(pairs);
  return network;
}

/// One pixel's working memory.
struct Pixel {
  model::Elimination elimination;
  model::EliminationView plan;
  std::vector<double> conductance, x, inverse, offset, coupling;
  std::vector<std::int32_t> island, number;
  pixel::IslandScratch scratch;
  double num_islands = 0;

  Pixel(const Network& network, const std::vector<double>& weight, const std::vector<double>& phase)
      : elimination(model::plan_elimination(network)), plan(elimination.view()) {
    const std::size_t num_dates = network.dates.size();
    conductance.resize(elimination.neighbour.size());
    for (auto* v : {&x, &inverse, &offset}) v->resize(num_dates);
    coupling.resize(num_dates * num_dates);
    island.resize(num_dates);
    number.resize(num_dates);
    scratch = {island.data(), number.data(), offset.data(), coupling.data()};
    for (std::size_t k = 0; k < weight.size(); ++k) {
      pixel::add_pair(plan, static_cast<std::int32_t>(k), weight[k], phase[k], conductance.data(), x.data());
    }
    num_islands = pixel::eliminate(plan, conductance.data(), x.data(), inverse.data());
    pixel::back_substitute(plan, conductance.data(), inverse.data(), x.data());
  }

  void check_series(const std::vector<double>& expected) const {
    const double first = x[static_cast<std::size_t>(plan.position[0])];
    for (std::size_t n = 0; n < expected.size(); ++n) {
      CHECK(x[static_cast<std::size_t>(plan.position[n])] - first == doctest::Approx(expected[n]));
    }
  }
};

}  // namespace

TEST_CASE("a chain of pairs adds up") {
  const Pixel p(network_of(4, {{0, 1}, {2, 1}, {2, 3}}), {1, 5, 0.1}, {1, -2, 4});
  CHECK(p.num_islands == 1);
  p.check_series({0, 1, 3, 7});
}

TEST_CASE("a misclosed triangle is balanced by its weights") {
  // 0 -> 1 -> 2 is 2, 0 -> 2 is 5; the chain has conductance 1/2, the long pair w: x2 = (2 / 2 + 5 w) / (1/2 + w).
  const Pixel equal(network_of(3, {{0, 1}, {1, 2}, {0, 2}}), {1, 1, 1}, {1, 1, 5});
  equal.check_series({0, 2, 4});
  const Pixel heavy(network_of(3, {{0, 1}, {1, 2}, {0, 2}}), {1, 1, 2}, {1, 1, 5});
  heavy.check_series({0, 2.2, 4.4});
}

TEST_CASE("a weak link between strong ones keeps its phase") {
  const Pixel p(network_of(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}), {1e5, 1e-5, 1e5, 0}, {1, 2, 3, 99});
  CHECK(p.num_islands == 1);
  p.check_series({0, 1, 3, 6});
}

TEST_CASE("missing pairs cut the network into exactly counted islands") {
  const Network ring = network_of(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
  CHECK(Pixel(ring, {1, 0, 1, 1}, {1, 1, 1, 1}).num_islands == 1);
  CHECK(Pixel(ring, {1, 0, 1, 0}, {1, 1, 1, 1}).num_islands == 2);
  CHECK(Pixel(ring, {0, 0, 0, 0}, {1, 1, 1, 1}).num_islands == 4);
  CHECK(Pixel(ring, {0.1, 0.3, 0.7, 0}, {1, 1, 1, 1}).num_islands == 1);
}

TEST_CASE("islands one after the other get velocity 0 across the gap") {
  const std::vector<double> step_yr{1, 1, 1, 1};
  Pixel p(network_of(5, {{0, 1}, {2, 3}, {3, 4}, {2, 4}}), {1, 1, 1, 1}, {1, 2.5, 2.5, 5});
  CHECK(p.num_islands == 2);
  pixel::shift_to_least_velocity(p.plan, p.conductance.data(), p.inverse.data(), step_yr.data(), 0, p.scratch,
                                 p.x.data());
  p.check_series({0, 1, 1, 3.5, 6});
}

TEST_CASE("islands interleaved in time share the velocity") {
  // Dates 0 and 2 rise by 2; dates 1 and 3 by 2 as well: the least velocities are o, 2 - o, o with o = 2/3.
  const std::vector<double> step_yr{1, 1, 1};
  Pixel p(network_of(4, {{0, 2}, {1, 3}}), {1, 1}, {2, 2});
  pixel::shift_to_least_velocity(p.plan, p.conductance.data(), p.inverse.data(), step_yr.data(), 0, p.scratch,
                                 p.x.data());
  p.check_series({0, 2.0 / 3, 2, 8.0 / 3});
}

TEST_CASE("longer steps count less in the velocity norm") {
  // Date 1 alone between 0 and 2: velocities o / 1 and (3 - o) / 2; o + (o - 3) / 4 = 0.
  const std::vector<double> step_yr{1, 2};
  Pixel p(network_of(3, {{0, 2}, {0, 1}}), {1, 0}, {3, 0});
  pixel::shift_to_least_velocity(p.plan, p.conductance.data(), p.inverse.data(), step_yr.data(), 0, p.scratch,
                                 p.x.data());
  p.check_series({0, 0.6, 3});
}

TEST_CASE("the least phases have the mean 0 on every island but the first date's") {
  Pixel p(network_of(5, {{0, 1}, {2, 3}, {3, 4}, {2, 4}}), {1, 1, 1, 1}, {1, 2.5, 2.5, 5});
  pixel::shift_to_least_phase(p.plan, p.conductance.data(), p.inverse.data(), p.plan.position[0], 0, p.scratch,
                              p.x.data());
  p.check_series({0, 1, -2.5, 0, 2.5});
}

TEST_CASE("temporal coherence is that of the residual phasors of the observed pairs") {
  pixel::PhasorSum<double> sum;
  CHECK(sum.coherence(0) == 0);
  sum.add(0.0, true);
  sum.add(std::numbers::pi / 2, true);
  sum.add(1.0, false);
  CHECK(sum.coherence(2) == doctest::Approx(std::sqrt(0.5)));
}
