// Plain arithmetic on ranges.
#include "tools/outcrop/quicklook/scale.hpp"

#include <algorithm>
#include <cmath>

namespace outcrop::tools {

double percentile(std::vector<float>& values, double share) {
  if (values.empty()) return 0;
  const auto last = static_cast<double>(values.size() - 1);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::lround(std::clamp(share, 0.0, 1.0) * last));
  std::nth_element(values.begin(), at, values.end());
  return static_cast<double>(*at);
}

double round_below(double limit) {
  const double power = std::pow(10.0, std::floor(std::log10(limit)));
  for (const double factor : {5.0, 2.0}) {
    if (factor * power <= limit * (1 + 1e-9)) return factor * power;
  }
  return power;
}

std::vector<double> ticks(double lowest, double highest, int count, double least_step) {
  double step = round_below((highest - lowest) / count);
  // Rounded down, it can give many more than asked for.
  if ((highest - lowest) / step > 1.6 * count) step = round_below(2.5 * step);
  step = std::max(step, least_step);
  std::vector<double> places;
  const double slack = 1e-9 * (highest - lowest);
  for (double n = std::ceil((lowest - slack) / step); n * step <= highest + slack; ++n) {
    places.push_back(n * step + 0.0);  // never -0
  }
  return places;
}

int decimals_for(double step) { return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9); }

ColourScale length_scale(Colouring colouring, double lowest_m, double highest_m) {
  const double largest = std::max(std::abs(lowest_m), std::abs(highest_m));
  ColourScale scale{colouring, lowest_m, highest_m, 1, "m", 0};
  if (largest < 0.02) {
    scale.factor = 1000;
    scale.unit = "mm";
  } else if (largest < 2) {
    scale.factor = 100;
    scale.unit = "cm";
  }
  scale.lowest *= scale.factor;
  scale.highest *= scale.factor;
  return scale;
}

}  // namespace outcrop::tools
