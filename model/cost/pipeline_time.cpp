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

BusyTimes busy_times(const std::vector<StageTime>& stages) {
  BusyTimes busy_s{};
  for (const StageTime& stage : stages) busy_s[place(stage.resource)] += stage.alone_s;
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

double wall_s(const std::vector<StageTime>& stages, const RunShape& shape) {
  const BusyTimes busy_s = busy_times(stages);
  double sum_s = 0;
  for (const double s : busy_s) sum_s += s;
  if (!shape.overlapped) return shape.fixed_s + sum_s;
  const double longest_s = *std::max_element(busy_s.begin(), busy_s.end());
  const double steady_s = std::max(longest_s, sum_s / shape.slots);
  const double filling_s = (sum_s - longest_s) / static_cast<double>(shape.tiles);
  return shape.fixed_s + std::min(steady_s + filling_s, sum_s);
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
  time.wall_s = wall_s(stages, shape);
  const auto bottleneck = find_bottleneck(stages);
  if (bottleneck == stages.end()) return time;
  time.bottleneck = bottleneck->name;
  std::vector<StageTime> without = stages;
  without[static_cast<std::size_t>(bottleneck - stages.begin())].alone_s = 0;
  const auto next = find_bottleneck(without);
  if (next != without.end()) time.next = next->name;
  return time;
}

}  // namespace outcrop::model
