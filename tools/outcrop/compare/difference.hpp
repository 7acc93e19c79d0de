// Difference: how far two datasets are apart, gathered block by block.
#pragma once

#include <cstdint>
#include <span>

namespace outcrop::tools {

struct Difference {
  std::int64_t compared = 0;       ///< values that are finite in both
  std::int64_t nan_reference = 0;  ///< NaN in the reference
  std::int64_t nan_other = 0;      ///< NaN in the other
  std::int64_t pattern = 0;        ///< values where NaN or an infinity is in one and not in the other
  double sum_of_squares = 0;
  double largest = 0;            ///< |other - reference|
  double largest_reference = 0;  ///< |reference|, over its finite values

  void add(std::span<const double> reference, std::span<const double> other);

  double rms() const;
  /// rms / largest |reference|; 0 when both are 0, infinite when only the reference is.
  double relative_rms() const;
};

/// Values that are at least `threshold` in one and not in the other, compared as float32; NaN is below.
std::int64_t count_changed_sides(std::span<const double> reference, std::span<const double> other, double threshold);

}  // namespace outcrop::tools
