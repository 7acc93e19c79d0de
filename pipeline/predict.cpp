#include "pipeline/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/cost/pipeline_time.hpp"
#include "pipeline/device_stages.hpp"

namespace outcrop::pipeline {
namespace {

using model::Resource;
using model::StageTime;

/// How often chunks of `chunk` rows (or columns) are touched by tiles of `tile` rows, on average over `extent` rows.
double touches(std::int64_t extent, std::int64_t tile, std::int64_t chunk) {
  std::int64_t touched = 0;
  for (std::int64_t begin = 0; begin < extent; begin += tile) {
    const std::int64_t end = std::min(begin + tile, extent);
    touched += (end + chunk - 1) / chunk - begin / chunk;
  }
  const std::int64_t chunks = (extent + chunk - 1) / chunk;
  return static_cast<double>(touched) / static_cast<double>(chunks);
}

/// How often the stored bytes of a plane are read: once, unless tiles cut its chunks.
double reads_of(const io::PlaneInfo& plane, const TileGrid& grid) {
  if (plane.redecoded) return static_cast<double>(grid.count());
  if (plane.chunk_rows == 0 || plane.chunk_cols == 0) return 1;
  return touches(grid.rows(), grid.tile_rows(), plane.chunk_rows) *
         touches(grid.cols(), grid.tile_cols(), plane.chunk_cols);
}

/// Requests that the plane's bytes are read with, at most: adjacent chunks may be read as one.
double requests_of(const io::PlaneInfo& plane, const TileGrid& grid) {
  if (plane.chunks > 0) return static_cast<double>(plane.chunks) * reads_of(plane, grid);
  const double layers = static_cast<double>(plane.depth);
  if (plane.chunk_rows == 0 || plane.chunk_cols == 0) {
    const bool whole_rows = plane.redecoded || grid.across() == 1;
    return layers * static_cast<double>(grid.count()) * (whole_rows ? 1.0 : static_cast<double>(grid.tile_rows()));
  }
  const auto count = [](std::int64_t extent, std::int64_t chunk) { return (extent + chunk - 1) / chunk; };
  const std::int64_t chunks = count(grid.rows(), plane.chunk_rows) * count(grid.cols(), plane.chunk_cols);
  return layers * static_cast<double>(chunks) * reads_of(plane, grid);
}

/// What decompressing takes: so much a byte decoded and so much a byte stored, since samples decode the faster, the
/// shorter they could be packed.
struct PackedRate {
  double decoded_bytes_per_s = 0;
  double stored_bytes_per_s = 0;
};

/// The machine's rates for the plane's compression; those of any compression when it has none of its own.
PackedRate packed_rate(const io::PlaneInfo& plane, const Machine& m) {
  PackedRate rate;
  if (plane.packing == io::Packing::lzf && plane.shuffled) {
    rate = {m.decode_lzf_shuffle_bytes_per_s, m.decode_lzf_shuffle_stored_bytes_per_s};
  } else if (plane.packing == io::Packing::lzf) {
    rate = {m.decode_lzf_bytes_per_s, m.decode_lzf_stored_bytes_per_s};
  } else if (plane.packing == io::Packing::gzip && plane.shuffled) {
    rate = {m.decode_gzip_shuffle_bytes_per_s, m.decode_gzip_shuffle_stored_bytes_per_s};
  } else if (plane.packing == io::Packing::gzip) {
    rate = {m.decode_gzip_bytes_per_s, m.decode_gzip_stored_bytes_per_s};
  }
  return rate.decoded_bytes_per_s > 0 ? rate : PackedRate{m.decode_packed_bytes_per_s, 0};
}

/// Whether nothing is left to decode: the plane's rows are read to where they are wanted.
bool is_direct(const io::PlaneInfo& plane, const TileGrid& grid) { return plane.direct && grid.across() == 1; }

/// The share that has to be decompressed.
double packed_share(const io::PlaneInfo& plane) {
  if (plane.packing == io::Packing::none) return 0;
  return plane.chunks == 0 ? 1 : static_cast<double>(plane.packed_chunks) / static_cast<double>(plane.chunks);
}

/// Of one thread that reads and decodes the plane once.
double decode_s(const io::PlaneInfo& plane, const Machine& machine) {
  const double decoded = static_cast<double>(plane.decoded_bytes);
  const double packed = packed_share(plane) * decoded;
  const double plain = decoded - packed;
  // Of integers the bytes stored are fewer than those decoded, packed or not.
  const double stored = std::max(static_cast<double>(plane.needed_bytes) - plain, 0.0);
  const PackedRate rate = packed_rate(plane, machine);
  return plain / machine.decode_plain_bytes_per_s + packed / rate.decoded_bytes_per_s +
         (packed > 0 ? seconds_at(rate.stored_bytes_per_s, stored) : 0);
}

class Predictor {
 public:
  Predictor(const Plan& plan, const PlanInputs& in)
      : plan_(plan),
        in_(in),
        machine_(in.machine),
        limits_(in.backend.limits()),
        pixels_(static_cast<double>(plan.grid.rows() * plan.grid.cols())),
        output_bytes_(static_cast<double>(plan.output_bytes)) {}

  std::vector<StageTime> stages() const {
    std::vector<StageTime> all = {read(), decode()};
    if (limits_.is_device) {
      for (StageTime& stage : device_stages(plan_, in_)) all.push_back(std::move(stage));
    } else {
      all.push_back({"solve", Resource::processors, pixels_ * machine_.solve_s(in_.step) / plan_.threads, 0});
    }
    if (plan_.bands.tiles_across > 0) {
      all.push_back({"gather", Resource::processors, seconds_at(machine_.memory_copy_bytes_per_s, output_bytes_), 0});
    }
    all.push_back(write());
    return all;
  }

  model::RunShape shape() const {
    const std::int64_t simulated = limits_.device_is_host ? plan_.device_bytes : 0;
    const double held = static_cast<double>(plan_.slots * plan_.layout->total_bytes() +
                                            plan_.bands.buffers * plan_.bands.bytes + simulated);
    const double touched_s = seconds_at(machine_.new_memory_bytes_per_s, held) / plan_.threads;
    const double fixed_s = machine_.start_s + device_start_s(in_.backend, machine_) + touched_s +
                           seconds_at(machine_.write_bytes_per_s, late_bytes());
    return {plan_.grid.count(), plan_.slots, plan_.runner == Runner::graph, fixed_s, memory_s()};
  }

 private:
  StageTime read() const {
    double requests = 0;
    for (const auto& plane : in_.source.describe().planes) requests += requests_of(plane, plan_.grid);
    const double waiting_s = model::storage_time_s({machine_.read_bytes_per_s, machine_.read_latency_s},
                                                   plan_.fetched_bytes(), requests, plan_.readers);
    return {"read", Resource::input, waiting_s, 0};
  }

  /// What reading takes of the processors counts here, where it happens when the system has the bytes in memory.
  StageTime decode() const {
    double seconds = 0;
    for (const auto& plane : in_.source.describe().planes) {
      if (is_direct(plane, plan_.grid)) {
        seconds += seconds_at(machine_.read_cpu_bytes_per_s, static_cast<double>(plane.needed_bytes));
        continue;
      }
      seconds += reads_of(plane, plan_.grid) * decode_s(plane, machine_);
      const bool row_by_row = plane.chunk_rows == 0 && !plane.redecoded;
      if (row_by_row) seconds += requests_of(plane, plan_.grid) * machine_.read_request_cpu_s;
    }
    return {"decode", Resource::processors, seconds / plan_.threads, 0};
  }

  StageTime write() const {
    const double working_s = seconds_at(machine_.write_cpu_bytes_per_s, output_bytes_) / plan_.threads;
    const double early_bytes = output_bytes_ - late_bytes();
    return {"write", Resource::output, std::max(early_bytes / machine_.write_bytes_per_s, working_s), working_s};
  }

  /// What storage takes after the last tile.
  double late_bytes() const { return std::min(static_cast<double>(in_.sink.late_bytes()), output_bytes_); }

  /// Bytes are written and read again by each stage: from the page cache to the slot, to the planes, to the outputs,
  /// to the band where there are bands, to the page cache. A copy moves each byte twice.
  double memory_s() const {
    const double decoded = static_cast<double>(plan_.decoded_bytes) * plan_.reread_factor;
    const double outputs = (plan_.bands.tiles_across > 0 ? 5 : 3) * output_bytes_;
    return seconds_at(2 * machine_.memory_copy_bytes_per_s, 3 * plan_.fetched_bytes() + 2 * decoded + outputs);
  }

  const Plan& plan_;
  const PlanInputs& in_;
  const Machine& machine_;
  BackendLimits limits_;
  double pixels_;
  double output_bytes_;
};

}  // namespace

void add_volumes(Plan& plan, const PlanInputs& in) {
  double fetched = 0;
  for (const auto& plane : in.source.describe().planes) {
    plan.needed_bytes += plane.needed_bytes;
    plan.decoded_bytes += plane.decoded_bytes;
    plan.packed_bytes += static_cast<std::int64_t>(packed_share(plane) * static_cast<double>(plane.decoded_bytes));
    if (is_direct(plane, plan.grid)) plan.direct_bytes += plane.decoded_bytes;
    fetched += reads_of(plane, plan.grid) * static_cast<double>(plane.needed_bytes);
  }
  plan.reread_factor = plan.needed_bytes > 0 ? fetched / static_cast<double>(plan.needed_bytes) : 1;
  const std::int64_t pixels = plan.grid.rows() * plan.grid.cols();
  for (const auto& plane : in.sink.planes()) plan.output_bytes += plane.depth * size_bytes(plane.dtype) * pixels;
  if (plan.reread_factor > 1.05) {
    plan.notes.push_back(fmt::format(
        "the tiles cut the input's chunks: stored bytes are read and decoded {:.1f} times; more --memory or chunks of "
        "fewer pixels would avoid it",
        plan.reread_factor));
  }
}

Prediction predict(const Plan& plan, const PlanInputs& in) {
  const Predictor predictor(plan, in);
  const std::vector<StageTime> stages = predictor.stages();
  const auto time = model::pipeline_time(stages, predictor.shape());
  Prediction p{time.wall_s, "", time.bottleneck, time.next, {}};
  for (const auto& stage : stages) p.stages.emplace_back(stage.name, stage.alone_s);
  return p;
}

}  // namespace outcrop::pipeline
