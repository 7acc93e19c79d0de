#include "pipeline/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/units.hpp"
#include "model/cost/pipeline_time.hpp"

namespace outcrop::pipeline {
namespace {

constexpr std::int64_t mib = 1024 * 1024;

/// Resident memory of the program itself: code, libraries, thread stacks, headers (measured: 35 to 45 MiB).
constexpr std::int64_t process_bytes = 56 * mib;

/// Larger slots than this gain nothing: the stages already work on long runs.
constexpr std::int64_t slot_target_bytes = 64 * mib;

/// Share of the memory that output bands may take before they are made narrower.
constexpr double band_share = 0.35;

constexpr int band_buffers = 2;

struct TileSize {
  std::int64_t rows = 1;
  std::int64_t cols = 1;
};

std::int64_t output_bytes_per_pixel(const model::Step& step) {
  return std::accumulate(
      step.outputs.begin(), step.outputs.end(), std::int64_t{0},
      [](std::int64_t sum, const auto& plane) { return sum + plane.depth * size_bytes(plane.dtype); });
}

std::int64_t sink_bytes_per_pixel(const io::TileSink& sink) {
  return std::accumulate(
      sink.planes().begin(), sink.planes().end(), std::int64_t{0},
      [](std::int64_t sum, const auto& plane) { return sum + plane.depth * size_bytes(plane.dtype); });
}

std::int64_t input_bytes_per_pixel(const model::Step& step) {
  return std::accumulate(
      step.inputs.begin(), step.inputs.end(), std::int64_t{0},
      [](std::int64_t sum, const auto& plane) { return sum + plane.depth * size_bytes(DType::f32); });
}

void check_planes(const model::Step& step, const io::SourceInfo& source) {
  OUTCROP_EXPECT(step.inputs.size() == source.planes.size(),
                 "the source and the step differ in their number of planes");
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    OUTCROP_EXPECT(step.inputs[i].name == source.planes[i].name && step.inputs[i].depth == source.planes[i].depth,
                   fmt::format("the source has no plane '{}' of the step", step.inputs[i].name));
  }
}

/// Chooses tile, slots and bands under the cap.
class Layouter {
 public:
  explicit Layouter(const PlanInputs& inputs)
      : in_(inputs), info_(inputs.source.describe()), scratch_(inputs.source.scratch_bytes() * inputs.threads) {
    limits_ = in_.backend.limits();
    program_ = in_.backend.program_bytes(in_.step);
    on_device_ = in_.backend.program_device_bytes(in_.step);
    fixed_ = process_bytes + limits_.workspace_bytes + scratch_ + program_ + in_.sink.held_bytes();
    available_ = in_.memory_cap_bytes - fixed_;
  }

  void choose(Plan& plan) const {
    const bool given = in_.config.tile_rows > 0 && in_.config.tile_cols > 0;
    const TileSize smallest = given ? TileSize{in_.config.tile_rows, in_.config.tile_cols} : chunk_unit();
    for (int slots = wanted_slots(); slots >= 1; --slots) {
      if (!given && try_tiles(plan, grown(smallest, slots), slots)) return;
      if (try_tiles(plan, smallest, slots)) return;
    }
    if (!given && try_cut_chunks(plan, smallest)) return;
    refuse(given ? smallest : TileSize{1, 1});
  }

  /// Slots that were wanted, when the device's memory holds fewer.
  std::optional<int> slots_without_room(const Plan& plan) const {
    const int wanted = static_cast<int>(std::min<std::int64_t>(wanted_slots(), plan.grid.count()));
    if (plan.slots >= wanted || device_bytes(*plan.layout, plan.slots + 1) <= device_budget()) return std::nullopt;
    return wanted;
  }

  std::int64_t batch_pixels() const { return on_device_.batch_pixels; }

  int queues(int slots) const { return std::min(limits_.num_queues, slots); }

  std::int64_t scratch_bytes() const { return scratch_; }

 private:
  /// Rows and columns of the largest chunk; one full row of the image where nothing is chunked.
  TileSize chunk_unit() const {
    TileSize unit{0, 0};
    for (const auto& plane : info_.planes) {
      unit.rows = std::max(unit.rows, plane.chunk_rows);
      unit.cols = std::max(unit.cols, plane.chunk_cols);
    }
    if (unit.cols == 0) unit = {1, info_.cols};
    return {std::min(std::max<std::int64_t>(unit.rows, 1), info_.rows), std::min(unit.cols, info_.cols)};
  }

  int wanted_slots() const {
    if (in_.config.slots > 0) return in_.config.slots;
    if (is_redecoded()) return 2;
    // On a device: one slot being read, one decoded, one copied in, one solved, one copied out, one written.
    const int stages = limits_.device_bytes_free > 0 ? 6 : 3;
    return std::max(stages, in_.threads + 2);
  }

  /// The last way: tiles smaller than a chunk, each chunk read for several of them.
  bool try_cut_chunks(Plan& plan, TileSize tile) const {
    while (tile.rows > 1 || tile.cols > 1) {
      std::int64_t& longer = tile.rows > 1 ? tile.rows : tile.cols;
      longer = (longer + 1) / 2;
      if (try_tiles(plan, tile, 1)) return true;
    }
    return false;
  }

  /// Every tile decodes whole images again: few and large tiles.
  bool is_redecoded() const {
    return std::any_of(info_.planes.begin(), info_.planes.end(), [](const auto& plane) { return plane.redecoded; });
  }

  std::int64_t device_bytes(const SlotLayout& layout, int slots) const {
    return on_device_.tables + queues(slots) * on_device_.each_queue + slots * in_.backend.slot_device_bytes(layout);
  }

  /// Not all that is free: other programs use the device too, and its memory falls into pieces.
  std::int64_t device_budget() const {
    constexpr double usable = 0.9;
    if (limits_.device_is_host) return limits_.device_bytes_free;
    return static_cast<std::int64_t>(usable * static_cast<double>(limits_.device_bytes_free));
  }

  /// What the slots take of this process's memory.
  std::int64_t host_bytes(const SlotLayout& layout, int slots) const {
    return slots * layout.total_bytes() + (limits_.device_is_host ? device_bytes(layout, slots) : 0);
  }

  std::int64_t bytes_per_pixel() const {
    std::int64_t stored = 0;
    for (const auto& plane : info_.planes) stored += plane.redecoded ? 0 : plane.needed_bytes;
    return input_bytes_per_pixel(in_.step) + output_bytes_per_pixel(in_.step) + stored / (info_.rows * info_.cols);
  }

  /// Whole units, first across and then down, up to the target size of a slot.
  TileSize grown(TileSize unit, int slots) const {
    auto share = static_cast<std::int64_t>(static_cast<double>(available_) * (1 - band_share)) / slots;
    if (limits_.device_bytes_free > 0) {
      const std::int64_t fixed = on_device_.tables + queues(slots) * on_device_.each_queue;
      share = std::min(share, std::max<std::int64_t>(0, device_budget() - fixed) / slots);
      if (limits_.device_is_host) share /= 2;
    }
    const std::int64_t target = is_redecoded() ? share : std::min(share, slot_target_bytes);
    const std::int64_t unit_bytes = std::max<std::int64_t>(1, unit.rows * unit.cols * bytes_per_pixel());
    const std::int64_t units = std::max<std::int64_t>(1, target / unit_bytes);
    const std::int64_t across = std::min(units, (info_.cols + unit.cols - 1) / unit.cols);
    const std::int64_t down =
        std::max<std::int64_t>(1, std::min(units / across, (info_.rows + unit.rows - 1) / unit.rows));
    return {std::min(unit.rows * down, info_.rows), std::min(unit.cols * across, info_.cols)};
  }

  std::shared_ptr<const SlotLayout> layout_of(const TileGrid& grid) const {
    std::int64_t raw = 0;
    for (std::int64_t tile = 0; tile < grid.count(); ++tile) raw = std::max(raw, in_.source.raw_bytes(grid.rect(tile)));
    auto layout = std::make_shared<SlotLayout>(grid.tile_rows() * grid.tile_cols(), raw);
    for (const auto& plane : in_.step.inputs) layout->add(plane.name, plane.depth, DType::f32);
    for (const auto& plane : in_.step.outputs) layout->add(plane.name, plane.depth, plane.dtype);
    return layout;
  }

  Bands bands_of(const TileGrid& grid) const {
    Bands bands;
    if (grid.across() == 1) return bands;
    const std::int64_t per_tile = sink_bytes_per_pixel(in_.sink) * grid.tile_rows() * grid.tile_cols();
    const double budget = static_cast<double>(std::max<std::int64_t>(available_, 0)) * band_share;
    std::int64_t across = grid.across();
    while (across > 1 && static_cast<double>(band_buffers * across * per_tile) > budget) across = (across + 1) / 2;
    if (across == 1) return bands;
    return {across, (grid.across() + across - 1) / across, band_buffers, across * per_tile};
  }

  bool try_tiles(Plan& plan, TileSize tile, int slots) const {
    const TileGrid grid(info_.rows, info_.cols, tile.rows, tile.cols);
    // A cheap lower bound first: the exact one asks the source about every tile.
    if (slots * grid.tile_rows() * grid.tile_cols() *
            (input_bytes_per_pixel(in_.step) + output_bytes_per_pixel(in_.step)) >
        available_) {
      return false;
    }
    const auto layout = layout_of(grid);
    const Bands bands = bands_of(grid);
    if (host_bytes(*layout, slots) + bands.buffers * bands.bytes > available_) return false;
    if (limits_.device_bytes_free > 0 && device_bytes(*layout, slots) > device_budget()) return false;
    plan.grid = grid;
    plan.layout = layout;
    plan.slots = static_cast<int>(std::min<std::int64_t>(slots, grid.count()));
    plan.bands = bands;
    plan.memory = {{"program and libraries", process_bytes},
                   {"decoder scratch", scratch_},
                   {"solver scratch", program_},
                   {"slots", plan.slots * layout->total_bytes()},
                   {"output bands", bands.buffers * bands.bytes}};
    if (in_.sink.held_bytes() > 0) plan.memory.emplace_back("kept of the outputs", in_.sink.held_bytes());
    if (limits_.workspace_bytes > 0) plan.memory.emplace_back("device libraries", limits_.workspace_bytes);
    if (limits_.device_is_host) plan.memory.emplace_back("simulated device", device_bytes(*layout, plan.slots));
    return true;
  }

  [[noreturn]] void refuse(TileSize tile) const {
    const TileGrid grid(info_.rows, info_.cols, tile.rows, tile.cols);
    const auto layout = layout_of(TileGrid(grid.tile_rows(), grid.tile_cols(), tile.rows, tile.cols));
    if (limits_.device_bytes_free > 0 && device_bytes(*layout, 1) > device_budget()) {
      fail(
          Errc::out_of_memory,
          fmt::format("{} has {} of memory free; one tile of {} x {} pixels of this input needs {} there",
                      in_.backend.name(), format_bytes(static_cast<double>(limits_.device_bytes_free)),
                      grid.tile_rows(), grid.tile_cols(), format_bytes(static_cast<double>(device_bytes(*layout, 1)))));
    }
    const std::int64_t least = fixed_ + host_bytes(*layout, 1);
    fail(Errc::usage,
         fmt::format("--memory {}M is too little: one tile of {} x {} pixels of this input needs {}M ({}M of it "
                     "for the program itself); give at least that",
                     in_.memory_cap_bytes / mib, grid.tile_rows(), grid.tile_cols(), least / mib + 1,
                     process_bytes / mib));
  }

  const PlanInputs& in_;
  const io::SourceInfo& info_;
  std::int64_t scratch_;
  BackendLimits limits_;
  std::int64_t program_ = 0;
  ProgramDeviceBytes on_device_;
  std::int64_t fixed_ = 0;
  std::int64_t available_ = 0;
};

double decode_s(const io::SourceInfo& source, const Machine& machine, int threads) {
  double seconds = 0;
  for (const auto& plane : source.planes) {
    const double rate = plane.compressed ? machine.decode_packed_bytes_per_s : machine.decode_plain_bytes_per_s;
    seconds += static_cast<double>(plane.decoded_bytes) / rate;
  }
  return seconds / threads;
}

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
  const double layers = static_cast<double>(plane.depth);
  if (plane.chunk_rows == 0 || plane.chunk_cols == 0) {
    const bool whole_rows = plane.redecoded || grid.across() == 1;
    return layers * static_cast<double>(grid.count()) * (whole_rows ? 1.0 : static_cast<double>(grid.tile_rows()));
  }
  const auto count = [](std::int64_t extent, std::int64_t chunk) { return (extent + chunk - 1) / chunk; };
  const std::int64_t chunks = count(grid.rows(), plane.chunk_rows) * count(grid.cols(), plane.chunk_cols);
  return layers * static_cast<double>(chunks) * reads_of(plane, grid);
}

double read_s(const Plan& plan, const PlanInputs& in) {
  double requests = 0;
  for (const auto& plane : in.source.describe().planes) requests += requests_of(plane, plan.grid);
  return model::storage_time_s({in.machine.read_bytes_per_s, in.machine.read_latency_s},
                               static_cast<double>(plan.needed_bytes) * plan.reread_factor, requests, plan.readers);
}

Prediction predict(const Plan& plan, const PlanInputs& in) {
  using model::Resource;
  const double pixels = static_cast<double>(plan.grid.rows() * plan.grid.cols());
  const double solve_s = pixels * in.step.flops() / in.machine.flops_per_s / plan.threads;
  const std::vector<model::StageTime> stages = {
      {"read", Resource::input, read_s(plan, in)},
      {"decode", Resource::processors, decode_s(in.source.describe(), in.machine, plan.threads) * plan.reread_factor},
      {"solve", Resource::processors, solve_s},
      {"write", Resource::output, static_cast<double>(plan.output_bytes) / in.machine.write_bytes_per_s},
  };
  const auto time =
      model::pipeline_time(stages, {plan.grid.count(), plan.slots, plan.runner == Runner::graph, in.machine.start_s});
  Prediction p{time.wall_s, time.bottleneck, time.next, {}};
  for (const auto& stage : stages) p.stages.emplace_back(stage.name, stage.alone_s);
  return p;
}

void add_volumes(Plan& plan, const PlanInputs& in) {
  double fetched = 0;
  for (const auto& plane : in.source.describe().planes) {
    plan.needed_bytes += plane.needed_bytes;
    plan.decoded_bytes += plane.decoded_bytes;
    fetched += reads_of(plane, plan.grid) * static_cast<double>(plane.needed_bytes);
  }
  plan.reread_factor = plan.needed_bytes > 0 ? fetched / static_cast<double>(plan.needed_bytes) : 1;
  plan.output_bytes = sink_bytes_per_pixel(in.sink) * plan.grid.rows() * plan.grid.cols();
  if (plan.reread_factor > 1.05) {
    plan.notes.push_back(fmt::format(
        "the tiles cut the input's chunks: stored bytes are read and decoded {:.1f} times; more --memory or chunks of "
        "fewer pixels would avoid it",
        plan.reread_factor));
  }
}

std::string assembly_of(const Plan& plan, const Config& config) {
  if (plan.solver != "batched") return "none";
  return plan.batch_pixels == 0 || config.host_assembles ? "host" : "device";
}

}  // namespace

std::int64_t Plan::planned_bytes() const {
  return std::accumulate(memory.begin(), memory.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& item) { return sum + item.second; });
}

Plan make_plan(const PlanInputs& in) {
  check_planes(in.step, in.source.describe());
  Plan plan;
  plan.threads = in.threads;
  plan.runner = in.config.runner;
  plan.memory_cap_bytes = in.memory_cap_bytes;
  plan.memory_reason = in.memory_reason;
  const Layouter layouter(in);
  layouter.choose(plan);
  plan.scratch_bytes = layouter.scratch_bytes();
  plan.readers = in.config.readers > 0 ? in.config.readers : std::clamp(plan.slots, 1, 4);
  plan.writers = in.config.writers > 0 ? in.config.writers : 2;
  plan.device = in.backend.name();
  plan.solver = in.step.solver == model::Solver::batched ? "batched" : "structured";
  plan.queues = layouter.queues(plan.slots);
  plan.batch_pixels = layouter.batch_pixels();
  plan.assembly = assembly_of(plan, in.config);
  if (const auto wanted = layouter.slots_without_room(plan)) {
    plan.notes.push_back(fmt::format("the memory of {} holds {} tiles in flight instead of {}: less can overlap",
                                     plan.device, plan.slots, *wanted));
  }
  add_volumes(plan, in);
  plan.predicted = predict(plan, in);
  return plan;
}

}  // namespace outcrop::pipeline
