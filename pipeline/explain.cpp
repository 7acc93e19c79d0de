// The plan in words and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "core/units.hpp"
#include "pipeline/plan.hpp"

namespace outcrop::pipeline {
namespace {

std::string bytes_text(std::int64_t bytes) { return format_bytes(static_cast<double>(bytes)); }

std::string bands_text(const Plan& plan) {
  if (plan.bands.tiles_across == 0) return "none, tiles are written directly";
  return fmt::format("{} of {} ({} tiles across)", plan.bands.buffers, bytes_text(plan.bands.bytes),
                     plan.bands.tiles_across);
}

/// Payload of a link of 1 GbE, bytes a second.
constexpr double gigabit_link = 117e6;

/// Below that many bytes nobody waits for a network.
constexpr double worth_telling = 10e9;

double link_s(const Plan& plan, int gigabits) { return plan.moved_bytes() / (gigabit_link * gigabits); }

}  // namespace

std::string explain(const Plan& plan) {
  std::string text;
  const auto line = [&](const char* name, const std::string& value) { text += fmt::format("{:<14}{}\n", name, value); };
  line("pixels", fmt::format("{} ({} rows x {} columns)", plan.grid.rows() * plan.grid.cols(), plan.grid.rows(),
                             plan.grid.cols()));
  line("tiles", fmt::format("{} of {} x {} pixels, {} in flight, {} each", plan.grid.count(), plan.grid.tile_rows(),
                            plan.grid.tile_cols(), plan.slots, bytes_text(plan.layout->total_bytes())));
  line("output bands", bands_text(plan));
  line("threads", fmt::format("{} workers, {} readers, {} writers, {} runner", plan.threads, plan.readers, plan.writers,
                              plan.runner == Runner::graph ? "graph" : "serial"));
  line("device",
       fmt::format("{}, {} queue{} ({})", plan.device, plan.queues, plan.queues == 1 ? "" : "s", plan.reason));
  line("solver", fmt::format("{}: {}", plan.solver, plan.solver_reason));
  if (plan.program.batch_pixels() > 0) {
    std::vector<std::int64_t> batches;
    for (const PartOnDevice& part : plan.program.parts) batches.push_back(part.batch_pixels);
    line("", fmt::format("batches of {} pixels on a queue, design matrices formed by the {}",
                         fmt::join(batches, " and then "), plan.assembly));
  }
  line("input", fmt::format("{} stored, {} decoded", bytes_text(plan.needed_bytes), bytes_text(plan.decoded_bytes)));
  line("output", fmt::format("{}, free space needed: {}", bytes_text(plan.output_bytes), bytes_text(plan.space_bytes)));
  if (plan.moved_bytes() >= worth_telling) {
    line("network",
         fmt::format("in and out {} over 1 GbE, {} over 10 GbE, {} over 100 GbE, were nothing else slower",
                     format_time(link_s(plan, 1)), format_time(link_s(plan, 10)), format_time(link_s(plan, 100))));
  }
  line("memory", fmt::format("{} of {} ({})", bytes_text(plan.planned_bytes()), bytes_text(plan.memory_cap_bytes),
                             plan.memory_reason));
  for (const auto& [name, bytes] : plan.memory) line("", fmt::format("{:<24}{}", name, bytes_text(bytes)));
  if (plan.device_bytes > 0) line("device memory", bytes_text(plan.device_bytes));
  const std::string next = plan.predicted.next.empty() ? "" : fmt::format(", then by {}", plan.predicted.next);
  line("predicted",
       fmt::format("{}, bounded by {}{}", format_time(plan.predicted.wall_s), plan.predicted.bottleneck, next));
  for (const auto& [stage, seconds] : plan.predicted.stages)
    line("", fmt::format("{:<24}{}", stage, format_time(seconds)));
  for (const auto& note : plan.notes) line("note", note);
  return text;
}

std::string to_json(const Plan& plan) {
  nlohmann::ordered_json json;
  json["pixels"] = {{"total", plan.grid.rows() * plan.grid.cols()}};
  json["tiles"] = {{"rows", plan.grid.tile_rows()},
                   {"cols", plan.grid.tile_cols()},
                   {"count", plan.grid.count()},
                   {"resumed", 0},
                   {"slots", plan.slots}};
  json["device"] = {{"name", plan.device},
                    {"solver", plan.solver},
                    {"assembly", plan.assembly},
                    {"batch", plan.program.batch_pixels()},
                    {"queues", plan.queues},
                    {"reason", plan.reason},
                    {"solver_reason", plan.solver_reason}};
  json["threads"] = plan.threads;
  json["bytes"] = {{"needed", plan.needed_bytes},
                   {"decoded", plan.decoded_bytes},
                   {"output", plan.output_bytes},
                   {"space", plan.space_bytes}};
  json["network_s"] = {{"1_gbe", link_s(plan, 1)}, {"10_gbe", link_s(plan, 10)}, {"100_gbe", link_s(plan, 100)}};
  json["device_memory_bytes"] = plan.device_bytes;
  json["memory_cap_bytes"] = plan.memory_cap_bytes;
  for (const auto& [name, bytes] : plan.memory) json["memory"][name] = bytes;
  json["predicted"] = {
      {"wall_s", plan.predicted.wall_s}, {"bottleneck", plan.predicted.bottleneck}, {"next", plan.predicted.next}};
  for (const auto& [stage, seconds] : plan.predicted.stages) json["predicted"]["stages"][stage] = seconds;
  json["notes"] = plan.notes;
  return json.dump(2) + "\n";
}

}  // namespace outcrop::pipeline
