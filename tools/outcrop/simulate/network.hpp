// Dates and pairs of a simulated stack.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace outcrop::tools {

struct NetworkOptions {
  std::int64_t dates = 40;
  std::int64_t pairs_per_date = 3;  ///< each date is paired with that many following ones
  std::int64_t clusters = 1;        ///< groups of dates without a pair between them
  std::int64_t long_pairs = 0;      ///< pairs over at least a quarter of the time, on top
  std::int64_t interval_days = 12;
};

/// Two dates by index, first < second.
struct DatePair {
  std::int64_t first = 0;
  std::int64_t second = 0;
  friend auto operator<=>(const DatePair&, const DatePair&) = default;
};

struct Network {
  std::vector<std::string> dates;  ///< [D] YYYYMMDD
  std::vector<double> days;        ///< [D] since the first date
  std::vector<double> bperp_m;     ///< [D] perpendicular baseline to the first date
  std::vector<DatePair> pairs;     ///< [M] sorted

  std::int64_t num_dates() const { return static_cast<std::int64_t>(dates.size()); }
  std::int64_t num_pairs() const { return static_cast<std::int64_t>(pairs.size()); }
};

/// Throws: Errc::usage naming the flag that asks for the impossible.
Network make_network(const NetworkOptions& options, std::uint64_t seed);

}  // namespace outcrop::tools
