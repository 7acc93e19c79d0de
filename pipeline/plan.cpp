#include "pipeline/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/units.hpp"
#include "model/step_layout.hpp"
#include "pipeline/predict.hpp"

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

/// Headers alone: of most of what the step uses no byte is stored yet.
bool is_unwritten(const io::SourceInfo& source) {
  std::int64_t all = 0;
  std::int64_t unwritten = 0;
  for (const auto& plane : source.planes) {
    all += plane.decoded_bytes;
    if (plane.needed_bytes == 0) unwritten += plane.decoded_bytes;
  }
  return 2 * unwritten > all;
}

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
      : in_(inputs),
        info_(inputs.source.describe()),
        scratch_(inputs.source.scratch_bytes() * inputs.threads),
        unwritten_(is_unwritten(info_)) {
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

  /// What the plan takes of the device's memory.
  std::int64_t device_bytes(const Plan& plan) const {
    return limits_.device_bytes_free > 0 ? device_bytes(*plan.layout, plan.slots) : 0;
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
    if (unwritten_ && !is_redecoded()) stored = info_.rows * info_.cols * input_bytes_per_pixel(in_.step);
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

  /// Of the largest tile, and where there is no data yet at least what samples without compression take.
  std::int64_t raw_bytes(const TileGrid& grid) const {
    std::int64_t raw = 0;
    std::int64_t stored = 0;
    for (const auto& plane : info_.planes) {
      stored += plane.needed_bytes;
      if (unwritten_ && plane.chunk_rows > 0) raw += plane.depth * size_bytes(DType::f32);
    }
    raw *= grid.tile_rows() * grid.tile_cols();
    // Without any data all tiles are alike.
    const std::int64_t tiles = stored == 0 ? 1 : grid.count();
    for (std::int64_t tile = 0; tile < tiles; ++tile) raw = std::max(raw, in_.source.raw_bytes(grid.rect(tile)));
    return raw;
  }

  std::shared_ptr<const SlotLayout> layout_of(const TileGrid& grid) const {
    auto layout = std::make_shared<SlotLayout>(grid.tile_rows() * grid.tile_cols(), raw_bytes(grid));
    model::add_planes(*layout, in_.step);
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
  bool unwritten_;
  BackendLimits limits_;
  std::int64_t program_ = 0;
  ProgramDeviceBytes on_device_;
  std::int64_t fixed_ = 0;
  std::int64_t available_ = 0;
};

std::string assembly_of(const Plan& plan, const Config& config) {
  if (plan.solver != "batched") return "none";
  return plan.batch_pixels == 0 || config.host_assembles ? "host" : "device";
}

}  // namespace

std::int64_t Plan::planned_bytes() const {
  return std::accumulate(memory.begin(), memory.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& item) { return sum + item.second; });
}

double Plan::fetched_bytes() const {
  return unwritten ? static_cast<double>(decoded_bytes) : static_cast<double>(needed_bytes) * reread_factor;
}

Plan make_plan(const PlanInputs& in) {
  check_planes(in.step, in.source.describe());
  Plan plan;
  plan.unwritten = is_unwritten(in.source.describe());
  plan.threads = in.threads;
  plan.runner = in.config.runner;
  plan.memory_cap_bytes = in.memory_cap_bytes;
  plan.memory_reason = in.memory_reason;
  const Layouter layouter(in);
  layouter.choose(plan);
  plan.scratch_bytes = layouter.scratch_bytes();
  plan.device_bytes = layouter.device_bytes(plan);
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
  if (plan.unwritten) {
    plan.notes.emplace_back(
        "the input holds no data yet: reading, the bytes over a network and the memory of a tile are those of samples "
        "stored as float32 without compression");
  }
  plan.predicted = predict(plan, in);
  return plan;
}

}  // namespace outcrop::pipeline
