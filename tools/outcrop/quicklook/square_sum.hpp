// SquareSum: a root mean square whose value does not depend on the order in which numbers are added.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace outcrop::tools {

/// Counts in steps of 2^-24 of the unit (60 nm for metres) with whole numbers; beyond +-127 of the unit it takes 127.
class SquareSum {
 public:
  void add(float value) {
    const double clamped = std::clamp(static_cast<double>(value), -127.0, 127.0);
    const auto steps = static_cast<std::int64_t>(std::nearbyint(clamped * steps_a_unit));
    const std::int64_t square = steps * steps;
    high_ += square >> 32;
    low_ += square & 0xffffffff;
    ++count_;
  }

  void add(const SquareSum& other) {
    high_ += other.high_;
    low_ += other.low_;
    count_ += other.count_;
  }

  std::int64_t count() const { return count_; }

  /// NaN when nothing was added.
  double root_mean() const {
    if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
    const double sum = static_cast<double>(high_) * 4294967296.0 + static_cast<double>(low_);
    return std::sqrt(sum / static_cast<double>(count_)) / steps_a_unit;
  }

 private:
  static constexpr double steps_a_unit = 16777216;

  std::int64_t high_ = 0;  ///< of the sum, in units of 2^32
  std::int64_t low_ = 0;
  std::int64_t count_ = 0;
};

}  // namespace outcrop::tools
