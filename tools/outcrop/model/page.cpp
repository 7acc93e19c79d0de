#include "tools/outcrop/model/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "model/cost/published.hpp"
#include "tools/outcrop/model/log_chart.hpp"

namespace outcrop::tools {
namespace {

using model::Regime;
using model::Workload;

constexpr const char* style =
    "body{font-family:sans-serif;max-width:60em;margin:2em auto;color:#222}"
    "table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #ccc;padding:.3em .6em;text-align:right}"
    "td:first-child,th:first-child{text-align:left}.off{color:#b00020}";

/// Okabe and Ito's colours, which the colour-blind can tell apart.
constexpr std::array<const char*, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#000000"};

constexpr std::array<std::pair<Regime, const char*>, 4> dashes = {{{Regime::overhead_bound, ""},
                                                                   {Regime::transition, "8 4"},
                                                                   {Regime::compute_bound, "2 4"},
                                                                   {Regime::none, "8 3 2 3"}}};

const char* dashes_of(Regime regime) {
  const auto* entry = std::find_if(dashes.begin(), dashes.end(), [&](const auto& e) { return e.first == regime; });
  return entry->second;
}

/// Shapes of the scenes, each once: D, P.
std::vector<std::pair<std::int64_t, std::int64_t>> shapes_of(const ModelTable& table) {
  std::set<std::pair<std::int64_t, std::int64_t>> shapes;
  for (const auto& row : table.rows) shapes.emplace(row.work.rows, row.work.columns);
  return {shapes.begin(), shapes.end()};
}

const char* colour_of(std::size_t shape) { return colours[shape % colours.size()]; }

double to_decade(double value, double (*direction)(double)) { return std::pow(10.0, direction(std::log10(value))); }

/// From a tenth of the smallest scene to a hundred times the largest.
ChartAxis pixels_axis(const ModelTable& table) {
  const auto less = [](const TableRow& a, const TableRow& b) { return a.work.pixels < b.work.pixels; };
  const auto [smallest, largest] = std::minmax_element(table.rows.begin(), table.rows.end(), less);
  return {"K, pixels inverted", to_decade(std::max(1.0, static_cast<double>(smallest->work.pixels) / 10), std::floor),
          to_decade(static_cast<double>(largest->work.pixels) * 100, std::ceil)};
}

/// The curve of one shape, cut where the regime changes.
void add_curve(LogChart& chart, const ModelTable& table, Workload work, const char* colour) {
  constexpr int steps = 240;
  ChartLine line;
  for (int i = 0; i <= steps; ++i) {
    const double pixels = chart.x.lowest * std::pow(chart.x.highest / chart.x.lowest, static_cast<double>(i) / steps);
    work.pixels = std::llround(pixels);
    const ChartPoint point{pixels, model::sigma(table.coefficients, work)};
    const char* dash = dashes_of(model::regime_of(table.coefficients, work, table.options.factor));
    if (!line.points.empty() && line.dashes != dash) {
      line.points.push_back(point);
      chart.lines.push_back(std::exchange(line, {}));
    }
    line.colour = colour;
    line.dashes = dash;
    line.points.push_back(point);
  }
  chart.lines.push_back(line);
}

/// Decades that hold every curve and scene, 1 among them; at most eight.
ChartAxis sigma_axis(const LogChart& chart) {
  double lowest = 1;
  double highest = 1;
  const auto take = [&](double sigma) {
    if (sigma > 0 && std::isfinite(sigma)) {
      lowest = std::min(lowest, sigma);
      highest = std::max(highest, sigma);
    }
  };
  for (const auto& line : chart.lines) {
    for (const auto& point : line.points) take(point.second);
  }
  for (const auto& mark : chart.marks) take(mark.at.second);
  highest = to_decade(highest * 1.01, std::ceil);
  return {"sigma = T_cpu / T_gpu", std::max(to_decade(lowest, std::floor), highest * 1e-8), highest};
}

LogChart chart_of(const ModelTable& table) {
  LogChart chart;
  chart.x = pixels_axis(table);
  const auto shapes = shapes_of(table);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto [rows, columns] = shapes[i];
    add_curve(chart, table, {1, rows, columns}, colour_of(i));
    chart.legend.push_back({{{}, colour_of(i), ""}, fmt::format("D {}, P {}", rows, columns)});
    for (const auto& row : table.rows) {
      if (row.work.rows != rows || row.work.columns != columns) continue;
      chart.marks.push_back({{static_cast<double>(row.work.pixels), row.sigma.shown()},
                             colour_of(i),
                             row.sigma.measured.has_value(),
                             row.scene.substr(0, row.scene.find(" ("))});
    }
  }
  chart.y = sigma_axis(chart);
  chart.lines.push_back({{{chart.x.lowest, 1.0}, {chart.x.highest, 1.0}}, "#777", ""});
  for (const auto& [regime, dash] : dashes) {
    const std::string name = regime == Regime::none ? "none of them" : "regime " + model::regime_letter(regime);
    chart.legend.push_back({{{}, "#444", dash}, name});
  }
  chart.legend.push_back({{{}, "#777", ""}, "break-even"});
  return chart;
}

std::string cell_html(const TableCell& cell, double tolerance) {
  const std::string measured = cell.measured ? fmt::format("{:.2f}", *cell.measured) : "-";
  return fmt::format("<td>{}</td><td{}>{:.2f}</td>", measured, cell.follows(tolerance) ? "" : " class=\"off\"",
                     cell.predicted);
}

std::string scenes_html(const ModelTable& table) {
  std::string text =
      "<table><tr><th>scene</th><th>K</th><th>D</th><th>P</th><th>T_cpu [s]</th><th>formula</th><th>T_gpu [s]</th>"
      "<th>formula</th><th>sigma</th><th>formula</th><th>label</th><th>by the conditions</th></tr>\n";
  const double tolerance = table.options.tolerance;
  for (const auto& row : table.rows) {
    text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td>{}{}{}<td>{}</td><td{}>{}</td></tr>\n",
                        xml_text(row.scene), row.work.pixels, row.work.rows, row.work.columns,
                        cell_html(row.host_s, tolerance), cell_html(row.device_s, tolerance),
                        cell_html(row.sigma, tolerance), row.label.value_or("-"),
                        row.regime_follows() ? "" : " class=\"off\"", row.regime);
  }
  return text + "</table>\n";
}

std::string even_html(const model::SpeedupCoefficients& c, const Workload& work) {
  const auto even = model::break_even_pixels(c, work);
  return fmt::format("<td>{}</td>", even ? fmt::format("{:.0f}", *even) : "never");
}

/// Break-even K for each shape, on the storage of the coefficients and on the others.
std::string break_even_html(const ModelTable& table) {
  std::string text = "<table><tr><th>shape</th><th>break-even K</th>";
  for (const auto& storage : table.storages) text += fmt::format("<th>on {}</th>", xml_text(storage.name));
  text += "</tr>\n";
  for (const auto& [rows, columns] : shapes_of(table)) {
    const Workload work{1, rows, columns};
    text += fmt::format("<tr><td>D {}, P {}</td>{}", rows, columns, even_html(table.coefficients, work));
    for (const auto& storage : table.storages) text += even_html(model::on_storage(table.coefficients, storage), work);
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

}  // namespace

std::string table_page(const ModelTable& table, const std::string& more) {
  const std::string title = xml_text(table.title);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{0}</title><style>{1}</style></head>\n"
      "<body>\n<h1>{0}</h1>\n<h2>Speedup over pixels</h2>\n",
      title, style);
  page += chart_of(table).svg();
  page += fmt::format(
      "<p>Lines: the formula; their dashes tell the regime, with \"much greater\" taken as {:g} times. Full circles: "
      "measured scenes.</p>\n<h2>Scenes</h2>\n",
      table.options.factor);
  page += scenes_html(table);
  page += fmt::format(
      "<p class=\"off\">Red: does not follow from the formula (more than {:g} % off, or another regime)."
      "</p>\n<h2>Pixels from which the device is faster</h2>\n",
      100 * table.options.tolerance);
  page += break_even_html(table);
  if (!table.storages.empty()) {
    page += "<p>Other storage: times multiplied by ratios that were measured on one scene.</p>\n";
  }
  return page + more + "</body>\n</html>\n";
}

}  // namespace outcrop::tools
