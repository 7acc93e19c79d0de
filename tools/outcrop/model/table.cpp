#include "tools/outcrop/model/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "core/error.hpp"
#include "tools/outcrop/model/machine.hpp"

namespace outcrop::tools {
namespace {

using Json = nlohmann::ordered_json;

TableRow row_of(const model::SpeedupCoefficients& c, const pipeline::Scene& scene, double factor) {
  const model::Observation& o = scene.observation;
  TableRow row{o.scene, o.work, {}, {}, {}, scene.label, {}};
  row.host_s = {o.host_s, model::host_time_s(c, o.work)};
  row.device_s = {o.device_s, model::device_time_s(c, o.work)};
  row.sigma.predicted = model::sigma(c, o.work);
  if (o.host_s && o.device_s) row.sigma.measured = *o.host_s / *o.device_s;
  row.regime = model::regime_letter(model::regime_of(c, o.work, factor));
  return row;
}

std::string cell_text(const TableCell& cell, double tolerance) {
  const std::string measured = cell.measured ? fmt::format("{:.2f}", *cell.measured) : "-";
  return fmt::format("{:>9}{:>9.2f}{}", measured, cell.predicted, cell.follows(tolerance) ? " " : "*");
}

Json follows_json(const TableCell& cell, double tolerance) {
  return cell.measured ? Json(cell.follows(tolerance)) : Json();
}

Json row_json(const TableRow& row, double tolerance) {
  Json json = {{"scene", row.scene},
               {"K", row.work.pixels},
               {"D", row.work.rows},
               {"P", row.work.columns},
               {"t_cpu_s", row.host_s.shown()},
               {"t_gpu_s", row.device_s.shown()},
               {"sigma", row.sigma.shown()},
               {"regime", row.label.value_or(row.regime)}};
  json["measured"] = row.sigma.measured.has_value();
  json["predicted"] = {{"t_cpu_s", row.host_s.predicted},
                       {"t_gpu_s", row.device_s.predicted},
                       {"sigma", row.sigma.predicted},
                       {"regime", row.regime}};
  json["follows"] = {{"t_cpu_s", follows_json(row.host_s, tolerance)},
                     {"t_gpu_s", follows_json(row.device_s, tolerance)},
                     {"sigma", follows_json(row.sigma, tolerance)},
                     {"regime", row.label ? Json(row.regime_follows()) : Json()}};
  return json;
}

}  // namespace

bool TableCell::follows(double tolerance) const {
  return !measured || std::abs(predicted / *measured - 1) <= tolerance;
}

ModelTable make_table(const pipeline::SpeedupModel& speedup, const TableOptions& options) {
  if (!std::isfinite(options.tolerance) || options.tolerance < 0) {
    fail(Errc::usage, fmt::format("--tolerance {}: give a share from 0 up, such as 0.1", options.tolerance));
  }
  ModelTable table{speedup.title, coefficients_of(speedup), speedup.storages, options, {}};
  if (speedup.scenes.empty()) {
    fail(Errc::usage, fmt::format("making a table of '{}': it holds no [[scene]]; model predict takes K, D and P as "
                                  "flags",
                                  speedup.title));
  }
  for (const auto& scene : speedup.scenes) table.rows.push_back(row_of(table.coefficients, scene, options.factor));
  return table;
}

void print_table_text(const ModelTable& table, std::ostream& out) {
  std::size_t width = 5;
  for (const auto& row : table.rows) width = std::max(width, row.scene.size());
  const double tolerance = table.options.tolerance;
  out << table.title << '\n';
  out << fmt::format("{:<{}}  {:>10} {:>5} {:>4}  {:>18}  {:>18}  {:>18}  {:>12}\n", "", width, "", "", "", "T_cpu s",
                     "T_gpu s", "sigma", "regime");
  out << fmt::format("{:<{}}  {:>10} {:>5} {:>4}", "scene", width, "K", "D", "P");
  for (int i = 0; i < 3; ++i) out << fmt::format("  {:>9}{:>9}", "measured", "formula ");
  out << fmt::format("  {:>5} {:>6}\n", "label", "found");
  for (const auto& row : table.rows) {
    out << fmt::format("{:<{}}  {:>10} {:>5} {:>4} {} {} {}  {:>5} {:>6}{}\n", row.scene, width, row.work.pixels,
                       row.work.rows, row.work.columns, cell_text(row.host_s, tolerance),
                       cell_text(row.device_s, tolerance), cell_text(row.sigma, tolerance), row.label.value_or("-"),
                       row.regime, row.regime_follows() ? "" : "*");
  }
  out << fmt::format(
      "* does not follow from the formula: more than {:g} % off, or another regime. '>>' is {:g} times.\n",
      100 * tolerance, table.options.factor);
}

void print_table_json(const ModelTable& table, std::ostream& out) {
  Json json = {{"machine", table.title}, {"factor", table.options.factor}, {"tolerance", table.options.tolerance}};
  json["rows"] = Json::array();
  for (const auto& row : table.rows) json["rows"].push_back(row_json(row, table.options.tolerance));
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace outcrop::tools
