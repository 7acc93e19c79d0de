#include "tools/outcrop/model/log_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace outcrop::tools {
namespace {

constexpr double left = 70;
constexpr double right = 700;
constexpr double top = 20;
constexpr double bottom = 420;
constexpr double legend_left = 720;
constexpr int width = 900;
constexpr int height = 480;

/// Where a value lies between the ends of an axis, 0 to 1.
double share(const ChartAxis& axis, double value) {
  return std::log(value / axis.lowest) / std::log(axis.highest / axis.lowest);
}

class Painter {
 public:
  explicit Painter(const LogChart& chart) : chart_(chart) {}

  std::string paint() {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n",
        width, height);
    text_ += fmt::format("<clipPath id=\"inside\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
                         left, top, right - left, bottom - top);
    grid();
    text_ += "<g clip-path=\"url(#inside)\">\n";
    for (const auto& line : chart_.lines) polyline(line);
    text_ += "</g>\n";
    for (const auto& mark : chart_.marks) circle(mark);
    legend();
    return text_ + "</svg>\n";
  }

 private:
  double x_of(double value) const { return left + (right - left) * share(chart_.x, value); }
  double y_of(double value) const { return bottom - (bottom - top) * share(chart_.y, value); }

  void label(double x, double y, const std::string& text, const char* anchor) {
    text_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, xml_text(text));
  }

  void stroke(double x1, double y1, double x2, double y2, const char* colour) {
    text_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2,
                         y2, colour);
  }

  /// Calls draw(value, is a power of ten) for 1, 2 and 5 of each decade of the axis.
  template <class Draw>
  static void ticks(const ChartAxis& axis, const Draw& draw) {
    const int first = static_cast<int>(std::floor(std::log10(axis.lowest)));
    const int last = static_cast<int>(std::ceil(std::log10(axis.highest)));
    for (int decade = first; decade <= last; ++decade) {
      for (const double digit : {1.0, 2.0, 5.0}) {
        const double value = digit * std::pow(10.0, decade);
        if (value >= axis.lowest * (1 - 1e-9) && value <= axis.highest * (1 + 1e-9)) draw(value, digit == 1.0);
      }
    }
  }

  void grid() {
    ticks(chart_.x, [&](double value, bool decade) {
      stroke(x_of(value), top, x_of(value), bottom, decade ? "#bbb" : "#eee");
      if (decade) label(x_of(value), bottom + 18, fmt::format("{:g}", value), "middle");
    });
    ticks(chart_.y, [&](double value, bool decade) {
      stroke(left, y_of(value), right, y_of(value), decade ? "#bbb" : "#eee");
      label(left - 8, y_of(value) + 4, fmt::format("{:g}", value), "end");
    });
    label((left + right) / 2, bottom + 44, chart_.x.title, "middle");
    text_ += fmt::format("<text transform=\"translate(18 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                         (top + bottom) / 2, xml_text(chart_.y.title));
  }

  void polyline(const ChartLine& line) {
    std::string points;
    for (const auto& [x, y] : line.points) points += fmt::format("{:.1f},{:.1f} ", x_of(x), y_of(y));
    text_ += fmt::format(
        "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\" points=\"{}\"/>\n",
        line.colour, line.dashes.empty() ? "none" : line.dashes, points);
  }

  void circle(const ChartMark& mark) {
    const double x = x_of(mark.at.first);
    const double y = y_of(mark.at.second);
    text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                         x, y, mark.filled ? mark.colour : "#fff", mark.colour);
    if (!mark.label.empty()) name_mark(mark, x + 8, y - 8);
  }

  /// The name of a mark, in its colour, moved up past names that are there already.
  void name_mark(const ChartMark& mark, double x, double y) {
    constexpr double name_width = 90;
    constexpr double name_height = 14;
    const auto overlaps = [&](const ChartPoint& other) {
      return std::abs(other.first - x) < name_width && std::abs(other.second - y) < name_height;
    };
    while (std::any_of(names_.begin(), names_.end(), overlaps)) y -= name_height;
    names_.emplace_back(x, y);
    text_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{}</text>\n", x, y, mark.colour, xml_text(mark.label));
  }

  void legend() {
    double y = top + 10;
    for (const auto& [line, name] : chart_.legend) {
      text_ += fmt::format(
          "<line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\" stroke=\"{3}\" stroke-width=\"2\" "
          "stroke-dasharray=\"{4}\"/>\n",
          legend_left, y, legend_left + 40, line.colour, line.dashes.empty() ? "none" : line.dashes);
      label(legend_left + 48, y + 4, name, "start");
      y += 20;
    }
  }

  const LogChart& chart_;
  std::string text_;
  std::vector<ChartPoint> names_;  ///< where names of marks begin
};

}  // namespace

std::string LogChart::svg() const { return Painter(*this).paint(); }

std::string xml_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        // Other control characters are not allowed in XML at all.
        if (static_cast<unsigned char>(c) >= ' ') result += c;
    }
  }
  return result;
}

}  // namespace outcrop::tools
