// Correcting rates by reports.
#include "pipeline/rate_correction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/median.hpp"
#include "pipeline/text_file.hpp"

namespace outcrop::pipeline {
namespace {

using Json = nlohmann::json;

constexpr double least_s = 1e-3;

/// A stage that is further off was not predicted with rates of this machine.
constexpr double largest_ratio = 1e5;

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  fail(Errc::usage, fmt::format("reading the run report {}: {}", name, what));
}

/// The text at "device/name"; empty when there is none.
std::string text_at(const Json& report, const std::string& pointer) {
  const Json::json_pointer place("/" + pointer);
  return report.contains(place) && report[place].is_string() ? report[place].get<std::string>() : "";
}

std::string needed_text(const Json& report, const std::string& pointer, const std::string& name) {
  std::string text = text_at(report, pointer);
  if (text.empty()) refuse(name, fmt::format("it has no {}; give a --report of this version", pointer));
  return text;
}

double number_of(const Json& value) { return value.is_number() ? value.get<double>() : 0; }

/// The share of the bytes read that reading waited for; decoding found the others in memory.
double fetched_share(const Json& report) {
  const Json zero = 0;
  const double all = number_of(report.value(Json::json_pointer("/bytes/read"), zero));
  const double fetched = number_of(report.value(Json::json_pointer("/stages/read/bytes"), zero));
  return all > 0 ? fetched / all : 1;
}

std::vector<StageComparison> stages_of(const Json& report) {
  std::vector<StageComparison> stages;
  const Json predicted = report.value(Json::json_pointer("/predicted/stages"), Json::object());
  const Json measured = report.value(Json::json_pointer("/stages"), Json::object());
  for (const auto& [stage, seconds] : predicted.items()) {
    const auto found = measured.find(stage);
    const bool known = found != measured.end() && found->is_object() && found->contains("alone_s");
    const double share = stage == "read" ? fetched_share(report) : 1;
    stages.push_back({stage, share * number_of(seconds), known ? number_of((*found)["alone_s"]) : 0});
  }
  return stages;
}

std::vector<std::string> steps_in(const std::string& text) {
  const std::string joint = " then ";
  std::vector<std::string> steps;
  std::size_t begin = 0;
  for (auto end = text.find(joint); end != std::string::npos; end = text.find(joint, begin)) {
    steps.push_back(text.substr(begin, end - begin));
    begin = end + joint.size();
  }
  steps.push_back(text.substr(begin));
  return steps;
}

/// A rate that a stage depends on.
struct Rate {
  std::string name;
  double* value = nullptr;
  bool is_time = false;  ///< seconds, not so much a second
};

void add(std::vector<Rate>& rates, const std::string& name, double& value, bool is_time = false) {
  if (value > 0) rates.push_back({name, &value, is_time});
}

void add_kernel(std::vector<Rate>& rates, KernelRate& kernel, const std::string& title) {
  add(rates, title + ".pixel_s", kernel.pixel_s, true);
  add(rates, title + ".sample_s", kernel.sample_s, true);
  add(rates, title + ".flops_per_s", kernel.flops_per_s);
}

class Corrector {
 public:
  explicit Corrector(Machine& machine) : machine_(machine) {}

  void add_report(const ReportComparison& report) {
    if (report.device != "cpu" && find_device(machine_.devices, report.device) == nullptr) {
      unknown_.push_back(
          fmt::format("the machine file knows neither the device {} of {} nor another of its make, so that its copies "
                      "and kernels correct nothing",
                      report.device, report.file));
    }
    for (const StageComparison& stage : report.stages) {
      if (stage.predicted_s < least_s || stage.measured_s < least_s) continue;
      const double ratio = stage.measured_s / stage.predicted_s;
      if (!(ratio > 1 / largest_ratio && ratio < largest_ratio)) {
        refuse(report.file,
               fmt::format("{} took {:.3g} times as long as predicted, which no rate explains; leave it out",
                           stage.stage, ratio));
      }
      for (const Rate& rate : rates_of(stage.stage, report)) {
        Ratios& ratios = ratios_[rate.value];
        ratios.rate = rate;
        ratios.stage = stage.stage;
        ratios.all.push_back(ratio);
      }
    }
  }

  /// A sentence for each report whose device has no rates.
  const std::vector<std::string>& unknown() const { return unknown_; }

  /// Gives a sentence for each rate.
  std::vector<std::string> correct() const {
    std::vector<std::string> said;
    for (const auto& [value, ratios] : ratios_) {
      const double ratio = median(ratios.all);
      const double before = *value;
      *ratios.rate.value = ratios.rate.is_time ? before * ratio : before / ratio;
      said.push_back(
          fmt::format("{} is {:.4g}, not {:.4g}: {} took {:.3g} times as long as predicted (median of {} "
                      "report{})",
                      ratios.rate.name, *ratios.rate.value, before, ratios.stage, ratio, ratios.all.size(),
                      ratios.all.size() == 1 ? "" : "s"));
    }
    std::sort(said.begin(), said.end());
    return said;
  }

 private:
  struct Ratios {
    Rate rate;
    std::string stage;
    std::vector<double> all;
  };

  std::vector<Rate> rates_of(const std::string& stage, const ReportComparison& report) {
    if (report.device != "cpu" && stage != "read" && stage != "decode" && stage != "write") {
      return device_rates(stage, report);
    }
    std::vector<Rate> rates;
    Machine& m = machine_;
    if (stage == "read") {
      add(rates, "read_bytes_per_s", m.read_bytes_per_s);
      add(rates, "read_latency_s", m.read_latency_s, true);
    } else if (stage == "decode") {
      add(rates, "read_cpu_bytes_per_s", m.read_cpu_bytes_per_s);
      add(rates, "read_request_cpu_s", m.read_request_cpu_s, true);
      add(rates, "decode_plain_bytes_per_s", m.decode_plain_bytes_per_s);
      add(rates, "decode_packed_bytes_per_s", m.decode_packed_bytes_per_s);
      add(rates, "decode_lzf_bytes_per_s", m.decode_lzf_bytes_per_s);
      add(rates, "decode_lzf_shuffle_bytes_per_s", m.decode_lzf_shuffle_bytes_per_s);
      add(rates, "decode_gzip_bytes_per_s", m.decode_gzip_bytes_per_s);
      add(rates, "decode_gzip_shuffle_bytes_per_s", m.decode_gzip_shuffle_bytes_per_s);
      add(rates, "decode_lzf_stored_bytes_per_s", m.decode_lzf_stored_bytes_per_s);
      add(rates, "decode_lzf_shuffle_stored_bytes_per_s", m.decode_lzf_shuffle_stored_bytes_per_s);
      add(rates, "decode_gzip_stored_bytes_per_s", m.decode_gzip_stored_bytes_per_s);
      add(rates, "decode_gzip_shuffle_stored_bytes_per_s", m.decode_gzip_shuffle_stored_bytes_per_s);
    } else if (stage == "write") {
      add(rates, "write_bytes_per_s", m.write_bytes_per_s);
      add(rates, "write_cpu_bytes_per_s", m.write_cpu_bytes_per_s);
    } else if (stage == "solve") {
      add_kernels(rates, m.kernels, report, "");
      if (rates.empty()) add(rates, "flops_per_s", m.flops_per_s);
    }
    return rates;
  }

  /// Those that it was predicted with; none for a device that the machine file does not know.
  std::vector<Rate> device_rates(const std::string& stage, const ReportComparison& report) {
    std::vector<Rate> rates;
    const DeviceRates* const found = find_device(machine_.devices, report.device);
    if (found == nullptr) return rates;
    DeviceRates& device = machine_.devices[static_cast<std::size_t>(found - machine_.devices.data())];
    const std::string title = device.name + ": ";
    // Design matrices that the host forms are copied batch by batch, which the stage does not time.
    if (stage == "copy_in" && !report.host_assembles)
      add(rates, title + "copy_in_bytes_per_s", device.copy_in_bytes_per_s);
    if (stage == "copy_out") add(rates, title + "copy_out_bytes_per_s", device.copy_out_bytes_per_s);
    if (stage == "assemble") add(rates, title + "assemble_bytes_per_s", device.assemble_bytes_per_s);
    if (stage == "solve") add_kernels(rates, device.kernels, report, title);
    return rates;
  }

  static void add_kernels(std::vector<Rate>& rates, std::vector<KernelRate>& kernels, const ReportComparison& report,
                          const std::string& title) {
    for (KernelRate& kernel : kernels) {
      const bool of_step = std::find(report.steps.begin(), report.steps.end(), kernel.step) != report.steps.end();
      if (!of_step || kernel.solver != report.solver || kernel.host_assembles != report.host_assembles) continue;
      add_kernel(rates, kernel, fmt::format("{}{} {}", title, model::name_of(kernel.solver), kernel.step));
    }
  }

  Machine& machine_;
  std::map<double*, Ratios> ratios_;
  std::vector<std::string> unknown_;
};

}  // namespace

ReportComparison parse_report_comparison(const std::string& text, const std::string& name) {
  const Json report = Json::parse(text, nullptr, false);
  if (!report.is_object()) refuse(name, "it is no JSON object; give a file that --report wrote");
  if (!report.contains("exit") || report["exit"] != 0) refuse(name, "the run did not end well; give one that did");
  ReportComparison comparison;
  comparison.file = name;
  comparison.rates = needed_text(report, "predicted/rates", name);
  comparison.steps = steps_in(needed_text(report, "step", name));
  comparison.device = needed_text(report, "device/name", name);
  comparison.solver = model::solver_of(text_at(report, "device/solver")).value_or(model::Solver::structured);
  comparison.host_assembles = comparison.device != "cpu" && text_at(report, "device/assembly") == "host";
  comparison.stages = stages_of(report);
  return comparison;
}

ReportComparison read_report_comparison(const std::string& path) {
  return parse_report_comparison(read_text_file("--report", path), path);
}

std::vector<std::string> correct_rates(Machine& machine, const std::vector<ReportComparison>& reports) {
  const std::string id = rates_id(machine);
  Corrector corrector(machine);
  for (const ReportComparison& report : reports) {
    if (report.rates != id) {
      fail(
          Errc::usage,
          fmt::format("correcting rates by the run report {}: its run was predicted with other rates than those of the "
                      "machine file; give the file that it was planned with (--machine), as it was then",
                      report.file));
    }
    corrector.add_report(report);
  }
  std::vector<std::string> said = corrector.correct();
  const std::vector<std::string>& unknown = corrector.unknown();
  if (said.empty() && !unknown.empty()) {
    fail(Errc::usage, fmt::format("correcting rates by run reports: {}; outcrop measure --device adds a device",
                                  fmt::join(unknown, "; ")));
  }
  if (said.empty()) {
    fail(Errc::usage,
         "correcting rates by run reports: no stage of them took a millisecond or more at a rate of the machine file; "
         "give reports of longer runs");
  }
  said.insert(said.end(), unknown.begin(), unknown.end());
  return said;
}

}  // namespace outcrop::pipeline
