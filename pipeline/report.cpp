#include "pipeline/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/clock.hpp"
#include "core/units.hpp"
#include "pipeline/host.hpp"

namespace outcrop::pipeline {
namespace {

using Json = nlohmann::ordered_json;

Json pixels_json(const Plan& plan, const Tally& tally) {
  return {{"total", plan.grid.rows() * plan.grid.cols()},
          {"solved", tally[PixelStatus::ok] + tally[PixelStatus::min_norm]},
          {"masked", tally[PixelStatus::masked]},
          {"no_data", tally[PixelStatus::no_data]},
          {"min_norm", tally[PixelStatus::min_norm]},
          {"too_few", tally[PixelStatus::too_few]},
          {"bad_geometry", tally[PixelStatus::bad_geometry]}};
}

/// What became of the pixels, in words.
std::string outcome(const Tally& t) {
  return fmt::format(
      "{} solved, of them {} by minimum norm; {} masked, {} without data, {} with too few observations, {} with bad "
      "geometry",
      t[PixelStatus::ok] + t[PixelStatus::min_norm], t[PixelStatus::min_norm], t[PixelStatus::masked],
      t[PixelStatus::no_data], t[PixelStatus::too_few], t[PixelStatus::bad_geometry]);
}

/// The host may have taken over from a device.
std::string assembly_of(const Plan& plan, const RunResult& result) {
  const bool by_another = !result.device.empty() && result.device != plan.device;
  return by_another && plan.assembly == "device" ? "host" : plan.assembly;
}

/// How many of a stage are counted at once. A device's parts do one thing at a time, and so does forming design
/// matrices for it, with all workers.
int workers_of(const std::string& stage, const Plan& plan) {
  if (stage == "read") return plan.readers;
  if (stage == "write") return plan.writers;
  if (stage == "copy_in" || stage == "copy_out" || stage == "assemble") return 1;
  if (stage == "solve" && plan.device_bytes > 0) return 1;
  return plan.threads;
}

Json stages_json(const Plan& plan, const RunResult& result) {
  Json stages = Json::object();
  for (const auto& s : result.stages) {
    stages[s.stage] = {{"busy_s", s.busy_s},
                       {"cpu_s", s.cpu_s},
                       {"alone_s", s.busy_s / workers_of(s.stage, plan)},
                       {"elapsed_s", s.last_end_s - s.first_start_s},
                       {"bytes", s.bytes}};
  }
  return stages;
}

Json predicted_json(const Prediction& predicted) {
  Json json = {{"wall_s", predicted.wall_s},
               {"rates", predicted.rates},
               {"bottleneck", predicted.bottleneck},
               {"next", predicted.next}};
  for (const auto& [stage, seconds] : predicted.stages) json["stages"][stage] = seconds;
  return json;
}

}  // namespace

std::string measured_bottleneck(const Plan& plan, const RunResult& result) {
  std::string name = "none";
  double longest_s = 0;
  for (const auto& s : result.stages) {
    const double alone_s = s.busy_s / workers_of(s.stage, plan);
    if (alone_s > longest_s) {
      longest_s = alone_s;
      name = s.stage;
    }
  }
  return name;
}

std::string report_json(const Plan& plan, const RunResult& result, const ReportContext& context) {
  const double now = wall_s();
  Json json;
  json["outcrop"] = context.version;
  json["command"] = context.command;
  json["step"] = context.step;
  json["exit"] = context.exit_code;
  json["wall_s"] = now - context.exec_s;
  json["start_s"] = result.first_read_s > 0 ? result.first_read_s - context.exec_s : 0;
  json["reference_s"] = context.reference_s;
  if (context.quicklook_s > 0) json["quicklook_s"] = context.quicklook_s;
  json["peak_rss_bytes"] = peak_resident_bytes();
  json["memory_cap_bytes"] = plan.memory_cap_bytes;
  json["pixels"] = pixels_json(plan, result.tally);
  for (const Tally& later : result.tally.then) json["then"].push_back({{"pixels", pixels_json(plan, later)}});
  json["problem"] = {
      {"dates", context.size.dates}, {"pairs", context.size.pairs}, {"parameters", context.size.parameters}};
  json["deviations"] = context.deviations;
  json["bytes"] = {{"read", result.bytes_read},   {"needed", plan.needed_bytes}, {"decoded", result.bytes_decoded},
                   {"packed", plan.packed_bytes}, {"direct", plan.direct_bytes}, {"written", result.bytes_written}};
  json["stages"] = stages_json(plan, result);
  json["device"] = {{"name", result.device.empty() ? plan.device : result.device},
                    {"solver", plan.solver},
                    {"assembly", assembly_of(plan, result)},
                    {"queues", plan.queues},
                    {"instruction_set", context.instruction_set},
                    {"reason", plan.reason},
                    {"solver_reason", plan.solver_reason}};
  json["tiles"] = {{"rows", plan.grid.tile_rows()},
                   {"cols", plan.grid.tile_cols()},
                   {"count", plan.grid.count()},
                   {"resumed", 0},
                   {"slots", result.slots > 0 ? result.slots : plan.slots}};
  json["threads"] = plan.threads;
  json["predicted"] = predicted_json(plan.predicted);
  json["bottleneck"] = measured_bottleneck(plan, result);
  // Arguments and file names are any bytes; JSON is UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string trace_json(const RunResult& result) {
  Json events = Json::array();
  for (const auto& span : result.spans) {
    events.push_back({{"name", span.stage},
                      {"cat", "stage"},
                      {"ph", "X"},
                      {"pid", 1},
                      {"tid", span.thread},
                      {"ts", 1e6 * span.start_s},
                      {"dur", 1e6 * (span.end_s - span.start_s)},
                      {"args", {{"tile", span.tile}, {"bytes", span.bytes}}}});
  }
  return Json{{"traceEvents", events}, {"displayTimeUnit", "ms"}}.dump() + "\n";
}

std::string summary(const Plan& plan, const RunResult& result, double elapsed_s) {
  const double pixels = static_cast<double>(plan.grid.rows() * plan.grid.cols());
  std::string text = fmt::format("{:.0f} pixels in {} ({:.3g} us a pixel, {} read, {} written), bounded by {}; {}",
                                 pixels, format_time(elapsed_s), 1e6 * elapsed_s / pixels,
                                 format_bytes(static_cast<double>(result.bytes_read)),
                                 format_bytes(static_cast<double>(result.bytes_written)),
                                 measured_bottleneck(plan, result), outcome(result.tally));
  for (const Tally& later : result.tally.then) text += "; then " + outcome(later);
  return text;
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) fail(Errc::io, fmt::format("writing {}: {}", path, std::strerror(errno)));
}

}  // namespace outcrop::pipeline
