// Network: which dates exist and which pairs of them were observed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace outcrop::model {

/// Indices of dates. first > second is a pair stored later date first; the sign of its phase says so.
struct Pair {
  int first = 0;
  int second = 0;
  friend bool operator==(const Pair&, const Pair&) = default;
};

struct Network {
  std::vector<std::string> dates;  ///< [D] text of the dates, in time order
  std::vector<double> days;        ///< [D] days since the first date, fractions for times of day
  std::vector<Pair> pairs;         ///< [M]

  int num_dates() const { return static_cast<int>(dates.size()); }
};

/// The network of pairs of date texts, each pair kept as it is stored (reversed, unsorted, repeated), dates sorted.
/// Throws: Errc::input when there is no pair, a text is no date, the texts have different forms, a pair joins a date
/// with itself, or two dates are so close that float32 years cannot tell them apart.
Network make_network(const std::vector<std::array<std::string, 2>>& pairs);

/// [D - 1] years between neighbouring dates, in float arithmetic as MintPy has them: t = float32 days / 365.25, then
/// differences in float32.
std::vector<float> date_steps_yr(const Network& network);

/// [D] island of each date, 0 for the island of the first date, then in the order of their first dates.
std::vector<int> islands(const Network& network);

/// The date with which all pairs begin, when it is another than the first (a network with one reference image);
/// nullopt: no such date.
std::optional<int> shared_later_date(const Network& network);

/// [D] which date MintPy stores where, when its design matrix lacks the column of `removed` (the first date but for a
/// shared later date): that date first, then the others in time order. 0 gives the order of time.
std::vector<int> order_without(int num_dates, int removed);

/// Minimum-norm least squares of the pair values on the dates, the date `origin` being 0: the perpendicular baselines
/// of the dates from those of the pairs. `pair_values` [M] m, finite. Gives [D] m.
std::vector<double> dates_from_pairs(const Network& network, const std::vector<double>& pair_values, int origin = 0);

}  // namespace outcrop::model
