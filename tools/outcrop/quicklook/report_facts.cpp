// The keys are those that the documentation of --report lists.
#include "tools/outcrop/quicklook/report_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "core/units.hpp"

namespace outcrop::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string bytes_text(const Json& bytes) { return format_bytes(bytes.get<double>()); }

FactTable pixel_table(const Json& report) {
  const Json& pixels = report["pixels"];
  FactTable table{"Pixels", {}};
  const auto add = [&](const char* key, const char* label) {
    table.facts.push_back({std::string("pixels.") + key, label, std::to_string(pixels[key].get<std::int64_t>())});
  };
  add("total", "in the image");
  add("solved", "solved");
  add("min_norm", "of them by minimum norm");
  add("masked", "masked");
  add("no_data", "without data");
  add("too_few", "with too few observations");
  add("bad_geometry", "with bad geometry");
  return table;
}

FactTable deviation_table(const Json& report) {
  FactTable table{"Where the answer is not MintPy's", {}};
  for (const auto& [name, count] : report["deviations"].items()) {
    table.facts.push_back({"deviations." + name, name, std::to_string(count.get<std::int64_t>())});
  }
  if (table.facts.empty()) table.facts.push_back({"deviations", "deviations", "none"});
  return table;
}

FactTable run_table(const Json& report) {
  const Json& tiles = report["tiles"];
  const Json& device = report["device"];
  const auto text = [](const Json& json) { return json.get<std::string>(); };
  return {"Run",
          {{"command", "command", fmt::format("{}", fmt::join(report["command"].get<std::vector<std::string>>(), " "))},
           {"outcrop", "version of outcrop", text(report["outcrop"])},
           {"wall_s", "time until the products were there", format_time(report["wall_s"].get<double>())},
           {"bottleneck", "bounded by", text(report["bottleneck"])},
           {"peak_rss_bytes", "largest resident memory", bytes_text(report["peak_rss_bytes"])},
           {"memory_cap_bytes", "memory allowed", bytes_text(report["memory_cap_bytes"])},
           {"bytes.read", "read", bytes_text(report["bytes"]["read"])},
           {"bytes.written", "written", bytes_text(report["bytes"]["written"])},
           {"tiles", "tiles",
            fmt::format("{} of {} x {} pixels", tiles["count"].get<std::int64_t>(), tiles["rows"].get<std::int64_t>(),
                        tiles["cols"].get<std::int64_t>())},
           {"threads", "threads", std::to_string(report["threads"].get<std::int64_t>())},
           {"device", "device and solver",
            fmt::format("{} {}, {}", text(device["name"]), text(device["instruction_set"]), text(device["solver"]))}}};
}

}  // namespace

Page page_of_report(const std::string& report) {
  const Json json = Json::parse(report);
  Page page;
  page.title = "outcrop " + json["step"].get<std::string>();
  page.lead = fmt::format("{} of {} pixels solved in {}", json["pixels"]["solved"].get<std::int64_t>(),
                          json["pixels"]["total"].get<std::int64_t>(), format_time(json["wall_s"].get<double>()));
  page.tables = {pixel_table(json), deviation_table(json), run_table(json)};
  return page;
}

}  // namespace outcrop::tools
