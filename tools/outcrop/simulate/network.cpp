// Dates at a fixed interval, near neighbours paired inside each cluster, long pairs drawn on top.
#include "tools/outcrop/simulate/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "core/error.hpp"
#include "tools/outcrop/simulate/random.hpp"

namespace outcrop::tools {
namespace {

constexpr std::chrono::sys_days first_day = std::chrono::year{2015} / 1 / 1;
constexpr double baseline_deviation_m = 70;

std::string date_text(std::int64_t days) {
  const std::chrono::year_month_day date(first_day + std::chrono::days(days));
  return fmt::format("{:04}{:02}{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

void expect(bool condition, const char* flag, std::int64_t value, const char* need) {
  if (condition) return;
  fail(Errc::usage, fmt::format("simulating a network: {} is {}, but it must be {}", flag, value, need));
}

void check(const NetworkOptions& options) {
  expect(options.dates >= 2 && options.dates <= 10000, "--dates", options.dates, "between 2 and 10000");
  expect(options.pairs_per_date >= 1, "--pairs-per-date", options.pairs_per_date, "at least 1");
  expect(options.clusters >= 1 && 2 * options.clusters <= options.dates, "--clusters", options.clusters,
         "between 1 and half the number of dates");
  expect(options.long_pairs >= 0, "--long-pairs", options.long_pairs, "0 or more");
  expect(options.interval_days >= 1 && options.interval_days <= 366, "--interval", options.interval_days,
         "between 1 and 366 days");
}

std::int64_t cluster_of(std::int64_t date, const NetworkOptions& options) {
  return date * options.clusters / options.dates;
}

std::set<DatePair> neighbour_pairs(const NetworkOptions& options) {
  std::set<DatePair> pairs;
  for (std::int64_t i = 0; i < options.dates; ++i) {
    const std::int64_t last = std::min(options.dates - 1, i + options.pairs_per_date);
    for (std::int64_t j = i + 1; j <= last; ++j) {
      if (cluster_of(i, options) == cluster_of(j, options)) pairs.insert({i, j});
    }
  }
  return pairs;
}

/// All pairs inside a cluster that are not neighbours and span a quarter of the time.
std::vector<DatePair> long_candidates(const NetworkOptions& options) {
  std::vector<DatePair> pairs;
  const std::int64_t shortest = std::max(options.pairs_per_date + 1, options.dates / 4);
  for (std::int64_t i = 0; i < options.dates; ++i) {
    for (std::int64_t j = i + shortest; j < options.dates; ++j) {
      if (cluster_of(i, options) == cluster_of(j, options)) pairs.push_back({i, j});
    }
  }
  return pairs;
}

}  // namespace

Network make_network(const NetworkOptions& options, std::uint64_t seed) {
  check(options);
  Network network;
  const RandomStream baselines(seed, Stream::baseline);
  for (std::int64_t d = 0; d < options.dates; ++d) {
    network.dates.push_back(date_text(d * options.interval_days));
    network.days.push_back(static_cast<double>(d * options.interval_days));
    network.bperp_m.push_back(d == 0 ? 0 : baseline_deviation_m * static_cast<double>(normal_of(baselines.bits(d))));
  }
  std::set<DatePair> pairs = neighbour_pairs(options);
  std::vector<DatePair> candidates = options.long_pairs > 0 ? long_candidates(options) : std::vector<DatePair>{};
  const RandomStream draws(seed, Stream::long_pairs);
  for (std::int64_t n = 0; n < options.long_pairs && !candidates.empty(); ++n) {
    const auto at = draws.bits(n) % candidates.size();
    pairs.insert(candidates[at]);
    candidates[at] = candidates.back();
    candidates.pop_back();
  }
  network.pairs.assign(pairs.begin(), pairs.end());
  return network;
}

}  // namespace outcrop::tools
