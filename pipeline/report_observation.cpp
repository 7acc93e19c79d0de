#include "pipeline/report_observation.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "pipeline/text_file.hpp"

namespace outcrop::pipeline {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  fail(Errc::usage, fmt::format("reading the run report {}: {}", name, what));
}

/// The number at "pixels/solved".
const Json& number_at(const Json& report, const std::string& pointer, const std::string& name) {
  const Json::json_pointer place("/" + pointer);
  if (!report.contains(place) || !report[place].is_number()) {
    refuse(name, fmt::format("it has no number {}; give a --report of this version", pointer));
  }
  return report[place];
}

std::int64_t positive_at(const Json& report, const std::string& pointer, const std::string& name) {
  const Json& value = number_at(report, pointer, name);
  if (!value.is_number_integer() || value.get<std::int64_t>() < 1) {
    refuse(name, fmt::format("{} is {}; a run that can be fitted has at least 1", pointer, value.dump()));
  }
  return value.get<std::int64_t>();
}

}  // namespace

model::Observation parse_report_observation(const std::string& text, const std::string& name) {
  const Json report = Json::parse(text, nullptr, false);
  if (!report.is_object()) refuse(name, "it is no JSON object; give a file that --report wrote");
  if (number_at(report, "exit", name) != 0) refuse(name, "the run did not end well; give one that did");
  model::Observation observation;
  observation.scene = name;
  observation.work = {positive_at(report, "pixels/solved", name), positive_at(report, "problem/dates", name),
                      positive_at(report, "problem/parameters", name)};
  const double wall_s = number_at(report, "wall_s", name).get<double>();
  const Json::json_pointer device("/device/name");
  if (!report.contains(device) || !report[device].is_string()) refuse(name, "it does not name the device");
  (report[device].get<std::string>() == "cpu" ? observation.host_s : observation.device_s) = wall_s;
  return observation;
}

model::Observation read_report_observation(const std::string& path) {
  return parse_report_observation(read_text_file("--report", path), path);
}

}  // namespace outcrop::pipeline
