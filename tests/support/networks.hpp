// Networks of many shapes for tests: sequential, with yearly pairs, in clusters, as a star, random.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "model/network.hpp"

namespace outcrop::test {

enum class NetworkShape { sequential, annual, clusters, interleaved, star, random, complete };
inline constexpr NetworkShape all_network_shapes[] = {
    NetworkShape::sequential, NetworkShape::annual, NetworkShape::clusters, NetworkShape::interleaved,
    NetworkShape::star,       NetworkShape::random, NetworkShape::complete};

using Random = std::mt19937_64;

inline int random_int(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}
inline double random_real(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// `num_dates` dates, 6, 12, 24 or 96 days apart; their texts are only names.
inline model::Network dates_only(Random& random, int num_dates) {
  constexpr double gaps_days[] = {6, 12, 24, 96};
  model::Network network;
  double day = 0;
  for (int n = 0; n < num_dates; ++n) {
    network.dates.push_back(fmt::format("date {}", n));
    network.days.push_back(day);
    day += gaps_days[random_int(random, 0, 3)];
  }
  return network;
}

/// Each date with its `reach` next ones.
inline void add_near_pairs(model::Network& network, int reach) {
  for (int n = 0; n < network.num_dates(); ++n) {
    for (int m = n + 1; m <= std::min(n + reach, network.num_dates() - 1); ++m) network.pairs.push_back({n, m});
  }
}

inline void add_random_pairs(Random& random, model::Network& network, int count) {
  while (count > 0) {
    const int a = random_int(random, 0, network.num_dates() - 1);
    const int b = random_int(random, 0, network.num_dates() - 1);
    if (a == b) continue;
    network.pairs.push_back({a, b});
    --count;
  }
}

/// Removes pairs that join different groups.
template <class GroupOf>
void keep_within_groups(model::Network& network, GroupOf group_of) {
  auto& pairs = network.pairs;
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(),
                             [&](const model::Pair& p) { return group_of(p.first) != group_of(p.second); }),
              pairs.end());
}

inline model::Network make_test_network(Random& random, NetworkShape shape, int num_dates) {
  model::Network network = dates_only(random, num_dates);
  const int groups = random_int(random, 2, 3);
  switch (shape) {
    case NetworkShape::sequential:
      add_near_pairs(network, random_int(random, 1, 5));
      break;
    case NetworkShape::annual:
      add_near_pairs(network, 2);
      for (int n = 0; n + 7 < num_dates; ++n) network.pairs.push_back({n, n + 7});
      break;
    case NetworkShape::clusters:
      add_near_pairs(network, 3);
      keep_within_groups(network, [&](int n) { return n * groups / num_dates; });
      break;
    case NetworkShape::interleaved:
      add_near_pairs(network, 5);
      keep_within_groups(network, [&](int n) { return n % groups; });
      break;
    case NetworkShape::star:
      for (int n = 0; n < num_dates; ++n) {
        if (n != num_dates / 2) network.pairs.push_back({num_dates / 2, n});
      }
      break;
    case NetworkShape::random:
      add_random_pairs(random, network, 2 * num_dates);
      break;
    case NetworkShape::complete:
      add_near_pairs(network, num_dates);
      break;
  }
  return network;
}

/// Turns some pairs round, repeats some, and shuffles them all.
inline void disturb_pairs(Random& random, model::Network& network) {
  const std::size_t count = network.pairs.size();
  for (std::size_t k = 0; k < count; ++k) {
    model::Pair& pair = network.pairs[k];
    if (random_int(random, 0, 4) == 0) std::swap(pair.first, pair.second);
    if (random_int(random, 0, 9) == 0) network.pairs.push_back(model::Pair(pair));
  }
  std::shuffle(network.pairs.begin(), network.pairs.end(), random);
}

}  // namespace outcrop::test
