// Time of a run of the pipeline: stages that overlap where they have workers and slots of their own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace outcrop::model {

/// A storage as a run sees it.
struct StorageRates {
  double bytes_per_s = 0;  ///< all requests together
  double latency_s = 0;    ///< of one request
};

/// Seconds to move the bytes: the rate bounds, or the requests do, each waiting its latency and its own bytes while
/// `in_flight` of them are under way.
double storage_time_s(const StorageRates& storage, double bytes, double requests, int in_flight);

/// What a stage uses; stages of one resource take turns, those of different ones overlap.
enum class Resource { input, processors, copy_in, device, copy_out, output };

struct StageTime {
  std::string name;
  Resource resource = Resource::processors;
  double alone_s = 0;      ///< for all tiles, with all the workers it may use
  double processor_s = 0;  ///< of it the seconds in which all processors work for it, where its resource is another
};

struct RunShape {
  std::int64_t tiles = 1;
  int slots = 1;           ///< tiles in flight
  bool overlapped = true;  ///< false: one stage after the other
  double fixed_s = 0;      ///< before the first tile
  double memory_s = 0;     ///< bytes that move through memory over its rate; 0: memory bounds nothing
};

struct PipelineTime {
  double wall_s = 0;
  std::string bottleneck;  ///< the stage that takes longest on the resource that bounds the run
  std::string next;        ///< what would be the bottleneck if that stage took no time; empty when nothing would
};

/// Serial: the fixed cost and the sum of all. Overlapped: the resource that is busy longest, or all of them one after
/// the other in as many slots as there are, whichever is more; and the first and last tile pass through the others
/// alone. No run is shorter than its bytes take through memory; where that bounds it the bottleneck is "memory".
PipelineTime pipeline_time(const std::vector<StageTime>& stages, const RunShape& shape);

}  // namespace outcrop::model
