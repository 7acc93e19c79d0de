#include "tools/outcrop/model/fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <ostream>

#include "core/error.hpp"
#include "pipeline/config.hpp"
#include "pipeline/report_observation.hpp"
#include "pipeline/speedup_file.hpp"
#include "tools/outcrop/model/machine.hpp"
#include "tools/outcrop/written_files.hpp"

namespace outcrop::tools {
namespace {

using Json = nlohmann::ordered_json;

void hold(model::FitOptions& options, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const auto& names = model::coefficient_names;
  const auto place = std::find(names.begin(), names.end(), name);
  if (place == names.end()) {
    const auto near = pipeline::nearest(name, {names.begin(), names.end()});
    fail(Errc::usage,
         fmt::format("--hold {}: {} is no coefficient; {}", text, name,
                     near ? "the nearest is " + *near : fmt::format("there are {}", fmt::join(names, ", "))));
  }
  double value = 0;
  const char* begin = equals == std::string::npos ? text.data() + text.size() : text.data() + equals + 1;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || rest != end) {
    fail(Errc::usage, fmt::format("--hold {}: write it as {}=SECONDS, for example {}=1e-6", text, name, name));
  }
  auto& held = options.held[static_cast<std::size_t>(place - names.begin())];
  if (held) fail(Errc::usage, fmt::format("--hold {}: {} is given twice; give one value", text, name));
  held = value;
}

pipeline::SpeedupModel gathered(const FitRequest& request) {
  pipeline::SpeedupModel speedup;
  if (request.machine || request.reports.empty()) speedup = speedup_of(request.machine);
  for (const auto& path : request.reports) {
    speedup.scenes.push_back({pipeline::read_report_observation(path), std::nullopt});
  }
  if (speedup.title.empty()) speedup.title = "fitted to run reports";
  return speedup;
}

std::string estimate_text(const model::CoefficientEstimate& entry) {
  if (entry.held) return fmt::format("{:.3g} (given)", entry.estimate.value);
  const auto& interval = entry.estimate.interval;
  if (!interval) {
    return fmt::format("{:.3g}, not determined: no more times than coefficients", entry.estimate.value);
  }
  return fmt::format("{:.3g}, 95 % from {:.3g} to {:.3g}{}", entry.estimate.value, interval->low, interval->high,
                     entry.estimate.determined ? "" : ", not determined");
}

void print_part(const char* title, const model::TimeFit& fit, const std::vector<model::Observation>& observations,
                std::ostream& out) {
  out << fmt::format("{}: {} times, {} degrees of freedom, residuals {:.1f} % (rms)\n", title, fit.measured_s.size(),
                     fit.degrees_of_freedom, 100 * fit.rms_relative());
  for (const auto& entry : fit.coefficients) out << fmt::format("  {:<10}{}\n", entry.name, estimate_text(entry));
  for (std::size_t i = 0; i < fit.measured_s.size(); ++i) {
    out << fmt::format("  {:>9.2f} s measured {:>9.2f} s fitted {:>+7.1f} %  {}\n", fit.measured_s[i], fit.fitted_s[i],
                       100 * (fit.fitted_s[i] / fit.measured_s[i] - 1), observations[fit.observations[i]].scene);
  }
}

Json part_json(const model::TimeFit& fit, const std::vector<model::Observation>& observations) {
  Json json = {{"times", fit.measured_s.size()},
               {"degrees_of_freedom", fit.degrees_of_freedom},
               {"rms_relative", fit.rms_relative()}};
  for (const auto& entry : fit.coefficients) {
    const auto& interval = entry.estimate.interval;
    json["coefficients"][entry.name] = {{"value", entry.estimate.value},
                                        {"low", interval ? Json(interval->low) : Json()},
                                        {"high", interval ? Json(interval->high) : Json()},
                                        {"given", entry.held},
                                        {"determined", entry.held || entry.estimate.determined}};
  }
  json["scenes"] = Json::array();
  for (std::size_t i = 0; i < fit.measured_s.size(); ++i) {
    json["scenes"].push_back({{"scene", observations[fit.observations[i]].scene},
                              {"measured_s", fit.measured_s[i]},
                              {"fitted_s", fit.fitted_s[i]},
                              {"residual", fit.fitted_s[i] / fit.measured_s[i] - 1}});
  }
  return json;
}

void write_machine(const std::string& path, pipeline::SpeedupModel speedup, const model::SpeedupFit& fit) {
  if (!fit.host || !fit.device) {
    fail(Errc::usage, fmt::format("-o {}: the scenes hold no time of the {}, so that there is no speedup to write",
                                  path, fit.host ? "device" : "host"));
  }
  std::vector<std::string> remarks = {"Fitted by outcrop model fit; 95 % intervals:"};
  for (const auto* part : {&*fit.host, &*fit.device}) {
    for (const auto& entry : part->coefficients) remarks.push_back(entry.name + " " + estimate_text(entry));
  }
  speedup.coefficients = fit.coefficients();
  write_result(path, pipeline::speedup_toml(speedup, remarks));
}

}  // namespace

void fit_model(const FitRequest& request, std::ostream& out) {
  model::FitOptions options;
  options.weighting = request.weighting;
  for (const auto& text : request.held) hold(options, text);
  const pipeline::SpeedupModel speedup = gathered(request);
  const auto observations = speedup.observations();
  const model::SpeedupFit fit = model::fit_speedup(observations, options);
  if (request.output) write_machine(*request.output, speedup, fit);
  if (request.json) {
    Json json = {{"machine", speedup.title}};
    if (fit.host) json["host"] = part_json(*fit.host, observations);
    if (fit.device) json["device"] = part_json(*fit.device, observations);
    out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    return;
  }
  out << speedup.title << '\n';
  if (fit.host) print_part("host, T_cpu", *fit.host, observations, out);
  if (fit.device) print_part("device, T_gpu", *fit.device, observations, out);
}

}  // namespace outcrop::tools
