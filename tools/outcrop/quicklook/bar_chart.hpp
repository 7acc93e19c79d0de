// Drawing one number a date as bars.
#pragma once

#include <string>
#include <vector>

#include "tools/outcrop/quicklook/canvas.hpp"

namespace outcrop::tools {

struct BarChart {
  std::string title;
  std::string unit;
  std::vector<double> heights;      ///< in `unit`, not negative; NaN: no bar
  std::vector<std::string> labels;  ///< of each bar; some are written
};

Canvas draw_bars(const BarChart& chart);

}  // namespace outcrop::tools
