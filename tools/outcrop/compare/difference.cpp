// Sums in double; what is not finite is compared as a pattern, never as a number.
#include "tools/outcrop/compare/difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace outcrop::tools {

void Difference::add(std::span<const double> reference, std::span<const double> other) {
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double a = reference[i];
    const double b = other[i];
    nan_reference += std::isnan(a) ? 1 : 0;
    nan_other += std::isnan(b) ? 1 : 0;
    if (std::isfinite(a)) largest_reference = std::max(largest_reference, std::abs(a));
    if (std::isfinite(a) && std::isfinite(b)) {
      const double d = std::abs(b - a);
      ++compared;
      sum_of_squares += d * d;
      largest = std::max(largest, d);
    } else if (a != b && !(std::isnan(a) && std::isnan(b))) {
      ++pattern;
    }
  }
}

double Difference::rms() const { return compared == 0 ? 0 : std::sqrt(sum_of_squares / static_cast<double>(compared)); }

double Difference::relative_rms() const {
  if (sum_of_squares == 0) return 0;
  return largest_reference == 0 ? std::numeric_limits<double>::infinity() : rms() / largest_reference;
}

std::int64_t count_changed_sides(std::span<const double> reference, std::span<const double> other, double threshold) {
  const auto limit = static_cast<float>(threshold);
  std::int64_t count = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const bool before = static_cast<float>(reference[i]) >= limit;
    const bool after = static_cast<float>(other[i]) >= limit;
    count += before != after ? 1 : 0;
  }
  return count;
}

}  // namespace outcrop::tools
