#include "tools/outcrop/model/predict.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "core/error.hpp"
#include "core/units.hpp"
#include "model/cost/published.hpp"
#include "tools/outcrop/model/machine.hpp"

namespace outcrop::tools {
namespace {

using Json = nlohmann::ordered_json;
using model::Workload;

constexpr std::size_t most_rows = 100000;

std::vector<std::int64_t> counts_of(const char* flag, const std::vector<std::string>& texts) {
  std::vector<std::int64_t> counts;
  for (const auto& text : texts) {
    const auto count = parse_count(text);
    if (!count) {
      fail(Errc::usage,
           fmt::format("{} {}: give a whole number from 1 to 9e15, such as 226000, 226k or 3.4M", flag, text));
    }
    counts.push_back(*count);
  }
  return counts;
}

std::string count_text(std::optional<double> count) {
  if (!count) return "never";
  return std::isfinite(*count) ? fmt::format("{:.6g}", *count) : "none";
}

std::string sigma_range(const model::LookupRange& range) {
  if (range.lowest_sigma == 0) return fmt::format("up to {:g}", range.highest_sigma);
  if (range.lowest_sigma == range.highest_sigma) return fmt::format("about {:g}", range.highest_sigma);
  return fmt::format("{:g} to {:g}", range.lowest_sigma, range.highest_sigma);
}

Json prediction_json(const model::SpeedupCoefficients& c, const Workload& work, double factor) {
  const auto& range = model::lookup(work.pixels);
  const auto even = model::break_even_pixels(c, work);
  return {{"K", work.pixels},
          {"D", work.rows},
          {"P", work.columns},
          {"t_cpu_s", model::host_time_s(c, work)},
          {"t_gpu_s", model::device_time_s(c, work)},
          {"sigma", model::sigma(c, work)},
          {"sigma_infinity", model::sigma_infinity(c, work)},
          {"asymptote", model::asymptote(c, work.columns)},
          {"crossover_K", model::crossover_pixels(c)},
          {"break_even_K", even ? Json(*even) : Json()},
          {"regime", model::regime_letter(model::regime_of(c, work, factor))},
          {"lookup_sigma", {range.lowest_sigma, range.highest_sigma}}};
}

void print_prediction(const model::SpeedupCoefficients& c, const Workload& work, double factor, std::ostream& out) {
  const auto line = [&](const char* name, const std::string& value) {
    out << fmt::format("  {:<22}{}\n", name, value);
  };
  out << fmt::format("K {}  D {}  P {}\n", work.pixels, work.rows, work.columns);
  line("T_cpu", fmt::format("{:.4g} s", model::host_time_s(c, work)));
  line("T_gpu", fmt::format("{:.4g} s", model::device_time_s(c, work)));
  line("sigma", fmt::format("{:.3g}", model::sigma(c, work)));
  line("sigma, K -> infinity", fmt::format("{:.3g}", model::sigma_infinity(c, work)));
  line("gamma P / delta", fmt::format("{:.3g}", model::asymptote(c, work.columns)));
  line("crossover K (F/alpha)", count_text(model::crossover_pixels(c)));
  line("break-even K", count_text(model::break_even_pixels(c, work)));
  line("regime", model::regime_letter(model::regime_of(c, work, factor)));
  line("published lookup", sigma_range(model::lookup(work.pixels)));
}

const char* meaning(model::Regime regime) {
  switch (regime) {
    case model::Regime::overhead_bound:
      return "A, overhead-bound: sigma ~ K alpha / (F + K beta), whatever D is";
    case model::Regime::transition:
      return "B, transition: sigma goes to sigma_infinity, and can fall as D grows";
    case model::Regime::compute_bound:
      return "C, compute-bound: sigma goes to gamma P / delta";
    case model::Regime::none:
      break;
  }
  return "none of the three: flops weigh on the host, the fixed cost on the device; sigma grows with K";
}

Json regime_json(const model::SpeedupCoefficients& c, const Workload& work, double factor) {
  const auto terms = model::regime_terms(c, work);
  const auto regime = model::regime_of(c, work, factor);
  return {{"K", work.pixels},
          {"D", work.rows},
          {"P", work.columns},
          {"K_alpha_s", terms.dispatch_s},
          {"K_gamma_D_P2_s", terms.host_compute_s},
          {"F_s", terms.fixed_s},
          {"K_delta_D_P_s", terms.traffic_s},
          {"sigma", model::sigma(c, work)},
          {"regime", model::regime_letter(regime)},
          {"meaning", meaning(regime)}};
}

void print_regime(const model::SpeedupCoefficients& c, const Workload& work, double factor, std::ostream& out) {
  const auto terms = model::regime_terms(c, work);
  out << fmt::format("K {}  D {}  P {}\n", work.pixels, work.rows, work.columns);
  out << fmt::format("  host    K alpha {:.3g} s, K gamma D P^2 {:.3g} s\n", terms.dispatch_s, terms.host_compute_s);
  out << fmt::format("  device  F {:.3g} s, K delta D P {:.3g} s\n", terms.fixed_s, terms.traffic_s);
  out << fmt::format("  {}\n", meaning(model::regime_of(c, work, factor)));
}

template <class RowJson, class PrintRow>
void print_rows(const pipeline::SpeedupModel& speedup, const PredictOptions& options, std::ostream& out,
                const RowJson& row_json, const PrintRow& print_row) {
  const auto c = coefficients_on(speedup, options.storage);
  model::check_factor(options.factor);
  if (options.json) {
    Json json = {{"machine", speedup.title}, {"storage", options.storage ? Json(*options.storage) : Json()}};
    json["factor"] = options.factor;
    json["rows"] = Json::array();
    for (const auto& work : options.workloads) json["rows"].push_back(row_json(c, work, options.factor));
    out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    return;
  }
  out << fmt::format("{}{}; '>>' is {:g} times\n", speedup.title,
                     options.storage ? ", storage " + *options.storage : std::string(), options.factor);
  for (const auto& work : options.workloads) print_row(c, work, options.factor, out);
}

}  // namespace

std::vector<Workload> workloads_of(const Sizes& sizes) {
  const auto pixels = counts_of("--pixels", sizes.pixels);
  const auto dates = counts_of("--dates", sizes.dates);
  const auto columns = counts_of("--columns", sizes.columns);
  if (pixels.size() * dates.size() > most_rows || pixels.size() * dates.size() * columns.size() > most_rows) {
    fail(Errc::usage,
         fmt::format("--pixels, --dates and --columns make more than {} combinations; give fewer", most_rows));
  }
  std::vector<Workload> all;
  for (const auto p : columns) {
    for (const auto d : dates) {
      for (const auto k : pixels) all.push_back({k, d, p});
    }
  }
  return all;
}

void predict(const pipeline::SpeedupModel& speedup, const PredictOptions& options, std::ostream& out) {
  print_rows(speedup, options, out, prediction_json, print_prediction);
}

void explain_regimes(const pipeline::SpeedupModel& speedup, const PredictOptions& options, std::ostream& out) {
  print_rows(speedup, options, out, regime_json, print_regime);
}

}  // namespace outcrop::tools
