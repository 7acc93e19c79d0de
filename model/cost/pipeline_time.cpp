#include "model/cost/pipeline_time.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"

namespace outcrop::model {
namespace {

constexpr std::size_t num_resources = 6;

using BusyTimes = std::array<double, num_resources>;

std::size_t place(Resource resource) { return static_cast<std::size_t>(resource); }

/// Seconds of each resource's own stages.
BusyTimes own_times(const std::vector<StageTime>& stages) {
  BusyTimes own_s{};
  for (const StageTime& stage : stages) own_s[place(stage.resource)] += stage.alone_s;
  return own_s;
}

/// The same, and what other stages take of the processors.
BusyTimes busy_times(const std::vector<StageTime>& stages) {
  BusyTimes busy_s = own_times(stages);
  for (const StageTime& stage : stages) {
    if (stage.resource != Resource::processors) busy_s[place(Resource::processors)] += stage.processor_s;
  }
  return busy_s;
}

/// The longest stage of the busiest resource; the end when no stage takes any time.
std::vector<StageTime>::const_iterator find_bottleneck(const std::vector<StageTime>& stages) {
  const BusyTimes busy_s = busy_times(stages);
  const auto rank = [&](const StageTime& s) { return std::pair(busy_s[place(s.resource)], s.alone_s); };
  const auto longest = std::max_element(stages.begin(), stages.end(),
                                        [&](const StageTime& a, const StageTime& b) { return rank(a) < rank(b); });
  return longest != stages.end() && longest->alone_s > 0 ? longest : stages.end();
}

/// Without the fixed cost and the bound of memory.
double stages_s(const std::vector<StageTime>& stages, const RunShape& shape) {
  const BusyTimes own_s = own_times(stages);
  const BusyTimes busy_s = busy_times(stages);
  double sum_s = 0;
  for (const double s : own_s) sum_s += s;
  if (!shape.overlapped) return sum_s;
  const auto busiest = std::max_element(busy_s.begin(), busy_s.end());
  const double others_s = sum_s - own_s[static_cast<std::size_t>(busiest - busy_s.begin())];
  const double steady_s = std::max(*busiest, sum_s / shape.slots);
  return std::min(steady_s + others_s / static_cast<double>(shape.tiles), sum_s);
}

}  // namespace

double storage_time_s(const StorageRates& storage, double bytes, double requests, int in_flight) {
  OUTCROP_EXPECT(storage.bytes_per_s > 0 && in_flight >= 1, "a storage has a rate, and a request in flight");
  const double moving_s = bytes / storage.bytes_per_s;
  return std::max(moving_s, (requests * storage.latency_s + moving_s) / in_flight);
}

PipelineTime pipeline_time(const std::vector<StageTime>& stages, const RunShape& shape) {
  OUTCROP_EXPECT(shape.tiles >= 1 && shape.slots >= 1, "a run has a tile and a slot");
  PipelineTime time;
  const double in_stages_s = stages_s(stages, shape);
  time.wall_s = shape.fixed_s + std::max(in_stages_s, shape.memory_s);
  const auto bottleneck = find_bottleneck(stages);
  if (shape.memory_s > in_stages_s) {
    time.bottleneck = "memory";
    if (bottleneck != stages.end()) time.next = bottleneck->name;
    return time;
  }
  if (bottleneck == stages.end()) return time;
  time.bottleneck = bottleneck->name;
  std::vector<StageTime> without = stages;
  StageTime& removed = without[static_cast<std::size_t>(bottleneck - stages.begin())];
  removed.alone_s = removed.processor_s = 0;
  const auto next = find_bottleneck(without);
  if (next != without.end()) time.next = next->name;
  return time;
}

}  // namespace outcrop::model
