// Bars share the width evenly; thousands of them become an outline.
#include "tools/outcrop/quicklook/bar_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/outcrop/quicklook/scale.hpp"

namespace outcrop::tools {
namespace {

constexpr std::int64_t letter = 2;
constexpr std::int64_t margin = 16;
constexpr Box plot{96, 72, 800, 240};
constexpr std::int64_t width = plot.x + plot.width + 2 * margin;
constexpr std::int64_t height = plot.y + plot.height + 48;
constexpr Colour bar_colour{58, 92, 160};
constexpr Colour grid_colour{214, 218, 226};
constexpr std::int64_t most_labels = 5;
constexpr std::size_t longest_label = 16;

double highest(const std::vector<double>& heights) {
  double most = 0;
  for (const double h : heights) most = h > most ? h : most;
  return most > 0 ? 1.05 * most : 1;
}

void draw_axis(Canvas& canvas, const BarChart& chart, double top) {
  const auto places = ticks(0, top, 5);
  const int decimals = places.size() > 1 ? decimals_for(places[1] - places[0]) : 2;
  for (const double place : places) {
    const std::int64_t y = plot.y + plot.height - std::lround(place / top * static_cast<double>(plot.height));
    canvas.fill({plot.x, y, plot.width, 1}, grid_colour);
    const std::string label = fmt::format("{:.{}f}", place, decimals);
    canvas.text(plot.x - 8 - Canvas::text_width(label, letter), y - Canvas::letter_height * letter / 2, label, letter,
                colour::ink);
  }
  canvas.text(margin, plot.y - 28, chart.unit, letter, colour::ink);
}

/// Left edge of a bar; of the one after the last, the right end.
std::int64_t edge(std::size_t bar, std::size_t count) {
  return plot.x + static_cast<std::int64_t>(bar) * plot.width / static_cast<std::int64_t>(count);
}

void draw_each(Canvas& canvas, const BarChart& chart, double top) {
  const std::size_t count = chart.heights.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isnan(chart.heights[i])) continue;
    const std::int64_t tall = std::lround(chart.heights[i] / top * static_cast<double>(plot.height));
    const std::int64_t wide = edge(i + 1, count) - edge(i, count);
    const std::int64_t gap = wide > 40 ? 8 : wide > 3 ? 1 : 0;
    canvas.fill({edge(i, count) + gap, plot.y + plot.height - tall, std::max<std::int64_t>(1, wide - 2 * gap), tall},
                bar_colour);
  }
  canvas.fill({plot.x, plot.y + plot.height, plot.width, 2}, colour::ink);
}

void draw_labels(Canvas& canvas, const BarChart& chart) {
  const auto count = static_cast<std::int64_t>(chart.labels.size());
  const std::int64_t shown = std::min(count, most_labels);
  for (std::int64_t k = 0; k < shown; ++k) {
    const auto bar = static_cast<std::size_t>(shown == 1 ? 0 : k * (count - 1) / (shown - 1));
    const std::int64_t middle = (edge(bar, chart.labels.size()) + edge(bar + 1, chart.labels.size())) / 2;
    const std::string label = chart.labels[bar].substr(0, longest_label);
    const std::int64_t wide = Canvas::text_width(label, letter);
    canvas.fill({middle, plot.y + plot.height, 2, 8}, colour::ink);
    canvas.text(std::clamp<std::int64_t>(middle - wide / 2, 2, width - wide - 2), plot.y + plot.height + 16, label,
                letter, colour::ink);
  }
}

}  // namespace

Canvas draw_bars(const BarChart& chart) {
  Canvas canvas(width, height);
  const double top = highest(chart.heights);
  canvas.text(margin, margin, chart.title, letter, colour::ink);
  draw_axis(canvas, chart, top);
  draw_each(canvas, chart, top);
  draw_labels(canvas, chart);
  return canvas;
}

}  // namespace outcrop::tools
