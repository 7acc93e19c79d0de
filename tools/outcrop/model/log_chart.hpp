// A chart with two logarithmic axes, as SVG text that needs nothing else.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace outcrop::tools {

using ChartPoint = std::pair<double, double>;

/// A stroke of one style through points in the units of the axes.
struct ChartLine {
  std::vector<ChartPoint> points;
  std::string colour;
  std::string dashes;  ///< as SVG's stroke-dasharray; empty: solid
};

struct ChartMark {
  ChartPoint at;
  std::string colour;
  bool filled = true;
  std::string label;  ///< beside the mark; may be empty
};

struct ChartAxis {
  std::string title;
  double lowest = 1;    ///< positive
  double highest = 10;  ///< above lowest
};

struct LogChart {
  ChartAxis x;
  ChartAxis y;
  std::vector<ChartLine> lines;
  std::vector<ChartMark> marks;
  std::vector<std::pair<ChartLine, std::string>> legend;  ///< style and its name; the points are not used

  std::string svg() const;
};

/// Text for the inside of an XML element or attribute.
std::string xml_text(const std::string& text);

}  // namespace outcrop::tools
