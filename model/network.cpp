// Network: which dates exist and which pairs of them were observed.
#include "model/network.hpp"

#include <fmt/format.h>

#include <map>

#include "core/check.hpp"
#include "core/error.hpp"
#include "model/dates.hpp"
#include "model/elimination.hpp"
#include "model/pixel/components.hpp"
#include "model/pixel/star_mesh.hpp"

namespace outcrop::model {
namespace {

/// Index of each date by its text. Texts of one form sort as their times do.
std::map<std::string, int> sorted_dates(const std::vector<std::array<std::string, 2>>& pairs) {
  std::map<std::string, int> index;
  for (const auto& pair : pairs) {
    for (const std::string& text : pair) {
      index.emplace(text, 0);
      if (text.size() != pairs.front()[0].size()) {
        fail(Errc::input, fmt::format("the dates of the pairs have different forms: '{}' and '{}'; write all of them "
                                      "with or all without the time of day",
                                      pairs.front()[0], text));
      }
    }
  }
  int next = 0;
  for (auto& [text, i] : index) i = next++;
  return index;
}

void expect_distinct_times(const Network& network) {
  const std::vector<float> steps = date_steps_yr(network);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (!(steps[k] > 0)) {
      fail(Errc::input, fmt::format("dates {} and {} are too close to be told apart in years since {}",
                                    network.dates[k], network.dates[k + 1], network.dates[0]));
    }
  }
}

int root_of(std::vector<int>& parent, int date) {
  while (parent[static_cast<std::size_t>(date)] != date) date = parent[static_cast<std::size_t>(date)];
  return date;
}

}  // namespace

Network make_network(const std::vector<std::array<std::string, 2>>& pairs) {
  if (pairs.empty()) fail(Errc::input, "a network needs at least one pair of dates, and there is none");
  const std::map<std::string, int> index = sorted_dates(pairs);
  Network network;
  const std::int64_t first_s = parse_date_s(index.begin()->first);
  for (const auto& [text, i] : index) {
    network.dates.push_back(text);
    network.days.push_back(days_between(first_s, parse_date_s(text)));
  }
  for (const auto& pair : pairs) {
    if (pair[0] == pair[1])
      fail(Errc::input, fmt::format("a pair joins the date {} with itself; leave it out", pair[0]));
    network.pairs.push_back({index.at(pair[0]), index.at(pair[1])});
  }
  expect_distinct_times(network);
  return network;
}

std::vector<float> date_steps_yr(const Network& network) {
  std::vector<float> steps;
  for (std::size_t k = 1; k < network.days.size(); ++k) {
    const float from_yr = static_cast<float>(network.days[k - 1]) / 365.25F;
    const float to_yr = static_cast<float>(network.days[k]) / 365.25F;
    steps.push_back(to_yr - from_yr);
  }
  return steps;
}

std::vector<int> islands(const Network& network) {
  std::vector<int> parent(network.dates.size());
  for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = static_cast<int>(i);
  for (const Pair& pair : network.pairs) {
    const int a = root_of(parent, pair.first);
    const int b = root_of(parent, pair.second);
    parent[static_cast<std::size_t>(a > b ? a : b)] = a > b ? b : a;
  }
  // The root of an island is its first date, so roots are met before the other dates of their island.
  std::vector<int> island(parent.size());
  int next = 0;
  for (std::size_t i = 0; i < parent.size(); ++i) {
    const int root = root_of(parent, static_cast<int>(i));
    island[i] = root == static_cast<int>(i) ? next++ : island[static_cast<std::size_t>(root)];
  }
  return island;
}

std::optional<int> shared_later_date(const Network& network) {
  const int shared = network.pairs.front().first;
  for (const Pair& pair : network.pairs) {
    if (pair.first != shared) return std::nullopt;
  }
  return shared == 0 ? std::nullopt : std::optional<int>(shared);
}

std::vector<int> order_without(int num_dates, int removed) {
  std::vector<int> order{removed};
  for (int date = 0; date < num_dates; ++date) {
    if (date != removed) order.push_back(date);
  }
  return order;
}

std::vector<double> dates_from_pairs(const Network& network, const std::vector<double>& pair_values, int origin) {
  OUTCROP_EXPECT(pair_values.size() == network.pairs.size(), "one value is needed for each pair");
  const Elimination elimination = plan_elimination(network);
  const EliminationView plan = elimination.view();
  const std::size_t num_dates = network.dates.size();
  std::vector<double> conductance(static_cast<std::size_t>(plan.num_edges));
  std::vector<double> x(num_dates);
  std::vector<double> inverse(num_dates);
  for (std::int32_t k = 0; k < plan.num_pairs; ++k) {
    pixel::add_pair(plan, k, 1.0, pair_values[static_cast<std::size_t>(k)], conductance.data(), x.data());
  }
  const double num_islands = pixel::eliminate(plan, conductance.data(), x.data(), inverse.data());
  pixel::back_substitute(plan, conductance.data(), inverse.data(), x.data());
  if (num_islands > 1) {
    std::vector<std::int32_t> island(2 * num_dates);
    std::vector<double> offset(num_dates);
    const pixel::IslandScratch scratch{island.data(), island.data() + num_dates, offset.data(), nullptr};
    pixel::shift_to_least_phase(plan, conductance.data(), inverse.data(), plan.position[origin], 0, scratch, x.data());
  }
  std::vector<double> values;
  const double first = x[static_cast<std::size_t>(plan.position[origin])];
  for (std::size_t n = 0; n < num_dates; ++n) values.push_back(x[static_cast<std::size_t>(plan.position[n])] - first);
  return values;
}

}  // namespace outcrop::model
