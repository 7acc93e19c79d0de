// The two forms of an InfoReport.
#include "tools/outcrop/info/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "core/units.hpp"

namespace outcrop::tools {
namespace {

using Json = nlohmann::ordered_json;

void print_section(const InfoSection& section, std::ostream& out) {
  if (section.items.empty()) return;
  std::size_t width = 0;
  for (const auto& item : section.items) width = std::max(width, item.name.size());
  out << section.title << '\n';
  for (const auto& item : section.items) {
    out << fmt::format("  {:<{}}  {}\n", item.name, width, fmt::join(item.values, ", "));
  }
}

std::string size_text(const InfoDataset& dataset) {
  if (!dataset.problem.empty()) return dataset.problem;
  if (!dataset.stored_bytes) return "stored in other files";
  std::string text = format_bytes(static_cast<double>(*dataset.stored_bytes));
  if (*dataset.stored_bytes > 0 && dataset.plain_bytes > 0) {
    text += fmt::format(", ratio {:.2f}",
                        static_cast<double>(dataset.plain_bytes) / static_cast<double>(*dataset.stored_bytes));
  }
  return text;
}

void print_datasets(const std::vector<InfoDataset>& datasets, std::ostream& out) {
  std::size_t width = 0;
  for (const auto& dataset : datasets) width = std::max(width, dataset.name.size());
  out << "datasets\n";
  for (const auto& dataset : datasets) {
    out << fmt::format("  {:<{}}  [{}]  {}; {}\n", dataset.name, width, fmt::join(dataset.shape, " x "),
                       dataset.storage, size_text(dataset));
  }
}

Json json_of(const InfoItem& item) {
  if (item.kind == InfoItem::Kind::texts) return item.values;
  if (item.kind == InfoItem::Kind::number) return Json::parse(item.values.front());
  return item.values.front();
}

Json json_of(const InfoSection& section) {
  Json json = Json::object();
  for (const auto& item : section.items) {
    std::string key = item.name;
    std::replace(key.begin(), key.end(), ' ', '_');
    json[key] = json_of(item);
  }
  return json;
}

Json json_of(const InfoDataset& dataset) {
  Json json = {{"name", dataset.name}, {"shape", dataset.shape}, {"storage", dataset.storage}};
  json["plain_bytes"] = dataset.plain_bytes;
  json["stored_bytes"] = dataset.stored_bytes ? Json(*dataset.stored_bytes) : Json();
  if (!dataset.problem.empty()) json["problem"] = dataset.problem;
  return json;
}

}  // namespace

void InfoSection::add_number(std::string name, std::int64_t value) {
  items.push_back({std::move(name), InfoItem::Kind::number, {std::to_string(value)}});
}

void InfoSection::add_number(std::string name, double value) {
  items.push_back({std::move(name), InfoItem::Kind::number, {fmt::format("{}", value)}});
}

void InfoSection::add_text(std::string name, std::string value) {
  items.push_back({std::move(name), InfoItem::Kind::text, {std::move(value)}});
}

void InfoSection::add_texts(std::string name, std::vector<std::string> values) {
  items.push_back({std::move(name), InfoItem::Kind::texts, std::move(values)});
}

void print_text(const InfoReport& report, std::ostream& out) {
  print_section(report.file, out);
  print_section(report.attributes, out);
  print_datasets(report.datasets, out);
  for (const auto& section : report.more) print_section(section, out);
}

void print_json(const InfoReport& report, std::ostream& out) {
  Json json = {{report.file.title, json_of(report.file)}, {report.attributes.title, json_of(report.attributes)}};
  json["datasets"] = Json::array();
  for (const auto& dataset : report.datasets) json["datasets"].push_back(json_of(dataset));
  for (const auto& section : report.more) json[section.title] = json_of(section);
  // Texts come from files and need not be UTF-8.
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace outcrop::tools
