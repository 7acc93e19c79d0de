// The median of some numbers.
#pragma once

#include <algorithm>
#include <vector>

#include "core/check.hpp"

namespace outcrop {

/// Of an even number of values the mean of the middle two. values: at least one, none of them NaN.
inline double median(std::vector<double> values) {
  OUTCROP_EXPECT(!values.empty(), "nothing has no median");
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

}  // namespace outcrop
