// Tiles, slots and bands under the cap.
#include "pipeline/layouter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "core/units.hpp"
#include "model/step_layout.hpp"

namespace outcrop::pipeline {
namespace {

constexpr std::int64_t mib = 1024 * 1024;

/// Resident memory of the program itself: code, libraries, thread stacks, headers (measured: 35 to 45 MiB).
constexpr std::int64_t process_bytes = 56 * mib;

/// Larger slots than this gain nothing where no request waits: the stages already work on long runs.
constexpr std::int64_t slot_target_bytes = 64 * mib;

/// Smaller ones let the tiles of small scenes overlap, larger ones make longer requests.
constexpr std::array<std::int64_t, 3> other_targets_bytes = {16 * mib, 256 * mib, 1024 * mib};

/// A chunk with as many pixels is a tile of its own: its layers lie in the tile as they lie in the chunk, so that each
/// is copied in one piece, not row by row.
constexpr std::int64_t whole_tile_pixels = 2048;

/// Of whole chunks alone: rows that are cut short are no long runs any more.
constexpr std::int64_t chunks_target_bytes = 4 * mib;

/// As many readers may wait at once.
constexpr std::array<int, 3> more_slots = {10, 18, 34};

/// Share of the memory that output bands may always take; what tiles leave may be more.
constexpr double band_share = 0.35;

constexpr int band_buffers = 2;

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

}  // namespace

bool is_unwritten(const io::SourceInfo& source) {
  std::int64_t all = 0;
  std::int64_t unwritten = 0;
  for (const auto& plane : source.planes) {
    all += plane.decoded_bytes;
    if (plane.needed_bytes == 0) unwritten += plane.decoded_bytes;
  }
  return 2 * unwritten > all;
}

Layouter::Layouter(const PlanInputs& inputs)
    : in_(inputs),
      info_(inputs.source.describe()),
      scratch_(inputs.source.scratch_bytes() * inputs.threads),
      unwritten_(is_unwritten(info_)) {
  limits_ = in_.backend.limits();
  program_ = in_.backend.program_bytes(in_.step);
  on_device_ = in_.backend.program_on_device(in_.step);
  fixed_ = process_bytes + library_bytes() + scratch_ + program_ + in_.sink.held_bytes();
  available_ = in_.memory_cap_bytes - fixed_;
}

void Layouter::choose(Plan& plan) const {
  const TileSize least = smallest();
  for (int slots = wanted_slots(); slots >= 1; --slots) {
    if (!is_tile_given() && try_grown(plan, least, slots)) return;
    if (lay_out(plan, {least, slots})) return;
  }
  if (!is_tile_given() && try_cut_chunks(plan, least)) return;
  refuse(is_tile_given() ? least : TileSize{1, 1});
}

std::vector<Layout> Layouter::alternatives(const Plan& plan) const {
  std::vector<Layout> all;
  if (is_redecoded()) return all;
  // No more tiles are in flight than there are; with smaller tiles there are more.
  std::vector<int> slots = {plan.slots < plan.grid.count() ? plan.slots : wanted_slots()};
  // Still more serve to have more requests under way.
  for (const int more : more_slots) {
    if (in_.config.slots == 0 && in_.machine.read_latency_s > 0 && more > slots[0]) slots.push_back(more);
  }
  const TileSize usual{plan.grid.tile_rows(), plan.grid.tile_cols()};
  const auto add = [&](TileSize tile, int count) {
    const bool known =
        std::any_of(all.begin(), all.end(), [&](const Layout& l) { return l.tile == tile && l.slots == count; });
    if (!known && !(tile == usual && count == plan.slots)) all.push_back({tile, count});
  };
  for (const int count : slots) {
    add(usual, count);
    if (is_tile_given()) continue;
    add(grown(smallest(), count, slot_target_bytes), count);
    add({smallest().rows, info_.cols}, count);  // rows of data in one piece are read whole
    for (const std::int64_t target : other_targets_bytes) add(grown(smallest(), count, target), count);
    if (is_chunked()) add(grown(smallest(), count, chunks_target_bytes), count);
  }
  return all;
}

std::int64_t Layouter::device_bytes(const Plan& plan) const {
  return limits_.is_device ? device_bytes(*plan.layout, plan.slots) : 0;
}

std::optional<int> Layouter::slots_without_room(const Plan& plan) const {
  const int wanted = static_cast<int>(std::min<std::int64_t>(wanted_slots(), plan.grid.count()));
  if (plan.slots >= wanted || device_bytes(*plan.layout, plan.slots + 1) <= device_budget()) return std::nullopt;
  return wanted;
}

int Layouter::queues(int slots) const { return std::min(limits_.num_queues, slots); }

TileSize Layouter::smallest() const {
  return is_tile_given() ? TileSize{in_.config.tile_rows, in_.config.tile_cols} : chunk_unit();
}

/// Rows and columns of the largest chunk; one full row of the image where nothing is chunked.
TileSize Layouter::chunk_unit() const {
  TileSize unit{0, 0};
  for (const auto& plane : info_.planes) {
    unit.rows = std::max(unit.rows, plane.chunk_rows);
    unit.cols = std::max(unit.cols, plane.chunk_cols);
  }
  if (unit.cols == 0) unit = {1, info_.cols};
  return {std::min(std::max<std::int64_t>(unit.rows, 1), info_.rows), std::min(unit.cols, info_.cols)};
}

int Layouter::wanted_slots() const {
  if (in_.config.slots > 0) return in_.config.slots;
  if (is_redecoded()) return 1;  // the larger the tiles, the fewer times a chunk is decoded, which is most of the work
  // On a device: one slot being read, one decoded, one copied in, one solved, one copied out, one written.
  const int stages = limits_.is_device ? 6 : 3;
  return std::max(stages, in_.threads + 2);
}

/// Tiles of the usual size, or smaller ones where only those leave the memory for bands as wide as the image.
bool Layouter::try_grown(Plan& plan, TileSize least, int slots) const {
  const bool one_chunk = is_chunked() && least.rows * least.cols >= whole_tile_pixels;
  if (!lay_out(plan, {one_chunk ? least : grown(least, slots, slot_target_bytes), slots})) return false;
  if (!plan.bands.cut_rows()) return true;
  for (const std::int64_t target : {other_targets_bytes.front(), chunks_target_bytes}) {
    Plan smaller = plan;
    if (!lay_out(smaller, {grown(least, slots, target), slots}) || smaller.bands.cut_rows()) continue;
    plan = std::move(smaller);
    break;
  }
  return true;
}

/// The last way: tiles smaller than a chunk, each chunk read for several of them.
bool Layouter::try_cut_chunks(Plan& plan, TileSize tile) const {
  while (tile.rows > 1 || tile.cols > 1) {
    std::int64_t& longer = tile.rows > 1 ? tile.rows : tile.cols;
    longer = (longer + 1) / 2;
    if (lay_out(plan, {tile, 1})) return true;
  }
  return false;
}

bool Layouter::is_chunked() const {
  return std::all_of(info_.planes.begin(), info_.planes.end(),
                     [](const auto& plane) { return plane.chunk_cols > 0 || plane.depth == 1; });
}

/// Every tile decodes whole images again: few and large tiles.
bool Layouter::is_redecoded() const {
  return std::any_of(info_.planes.begin(), info_.planes.end(), [](const auto& plane) { return plane.redecoded; });
}

std::int64_t Layouter::device_bytes(const SlotLayout& layout, int slots) const {
  return on_device_.tables + queues(slots) * on_device_.each_queue(layout.pixel_capacity()) +
         slots * in_.backend.slot_device_bytes(layout);
}

/// Not all that is free: other programs use the device too, and its memory falls into pieces.
std::int64_t Layouter::device_budget() const {
  constexpr double usable = 0.9;
  if (limits_.device_is_host) return limits_.device_bytes_free;
  return static_cast<std::int64_t>(usable * static_cast<double>(limits_.device_bytes_free));
}

/// What the libraries of devices keep of this process's memory, whether one of these is used or not.
std::int64_t Layouter::library_bytes() const { return limits_.workspace_bytes + in_.held_bytes; }

/// What the slots take of this process's memory.
std::int64_t Layouter::host_bytes(const SlotLayout& layout, int slots) const {
  return slots * layout.total_bytes() + (limits_.device_is_host ? device_bytes(layout, slots) : 0);
}

std::int64_t Layouter::stored_bytes_per_pixel() const {
  std::int64_t stored = 0;
  for (const auto& plane : info_.planes) stored += plane.redecoded ? 0 : plane.needed_bytes;
  if (unwritten_ && !is_redecoded()) stored = info_.rows * info_.cols * input_bytes_per_pixel(in_.step);
  return stored / (info_.rows * info_.cols);
}

/// What a slot may take of the device beside the working memory for its pixels.
std::int64_t Layouter::device_share(int slots, std::int64_t bytes_per_pixel) const {
  constexpr std::int64_t parts = 64;  // one of them for what a slot has beside its planes
  const std::int64_t room = std::max<std::int64_t>(0, device_budget() - on_device_.tables) / parts * (parts - 1);
  std::int64_t share = room / slots;
  while (share > 0 && slots * share + queues(slots) * on_device_.each_queue(share / bytes_per_pixel) > room) {
    share = share / 8 * 7;
  }
  return share;
}

/// Whole units, first across and then down, up to that size of a slot and its share of the memory.
TileSize Layouter::grown(TileSize unit, int slots, std::int64_t most_bytes) const {
  const std::int64_t bytes_per_pixel =
      input_bytes_per_pixel(in_.step) + output_bytes_per_pixel(in_.step) + stored_bytes_per_pixel();
  auto share = static_cast<std::int64_t>(static_cast<double>(available_) * (1 - band_share)) / slots;
  if (limits_.is_device) {
    share = std::min(share, device_share(slots, bytes_per_pixel));
    if (limits_.device_is_host) share /= 2;
  }
  const std::int64_t target = is_redecoded() ? share : std::min(share, most_bytes);
  const std::int64_t unit_bytes = std::max<std::int64_t>(1, unit.rows * unit.cols * bytes_per_pixel);
  const std::int64_t units = std::max<std::int64_t>(1, target / unit_bytes);
  const std::int64_t across = std::min(units, (info_.cols + unit.cols - 1) / unit.cols);
  const std::int64_t down =
      std::max<std::int64_t>(1, std::min(units / across, (info_.rows + unit.rows - 1) / unit.rows));
  return {std::min(unit.rows * down, info_.rows), std::min(unit.cols * across, info_.cols)};
}

/// Of the largest tile, and where there is no data yet at least what samples without compression take.
std::int64_t Layouter::raw_bytes(const TileGrid& grid) const {
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

std::shared_ptr<const SlotLayout> Layouter::layout_of(const TileGrid& grid, Exactness exactness) const {
  const std::int64_t pixels = grid.tile_rows() * grid.tile_cols();
  const std::int64_t raw = exactness == Exactness::exact ? raw_bytes(grid) : pixels * stored_bytes_per_pixel();
  auto layout = std::make_shared<SlotLayout>(pixels, raw);
  model::add_planes(*layout, in_.step);
  return layout;
}

/// As wide as `room` bytes hold.
Bands Layouter::bands_of(const TileGrid& grid, std::int64_t room) const {
  Bands bands;
  if (grid.across() == 1) return bands;
  const std::int64_t per_tile = sink_bytes_per_pixel(in_.sink) * grid.tile_rows() * grid.tile_cols();
  std::int64_t across = grid.across();
  while (across > 1 && band_buffers * across * per_tile > room) across = (across + 1) / 2;
  if (across == 1) return bands;
  return {across, (grid.across() + across - 1) / across, band_buffers, across * per_tile};
}

bool Layouter::try_tiles(Plan& plan, const Layout& wanted, Exactness exactness) const {
  const auto [tile, slots] = wanted;
  const TileGrid grid(info_.rows, info_.cols, tile.rows, tile.cols);
  // A cheap lower bound first: the exact one asks the source about every tile.
  if (slots * grid.tile_rows() * grid.tile_cols() *
          (input_bytes_per_pixel(in_.step) + output_bytes_per_pixel(in_.step)) >
      available_) {
    return false;
  }
  const auto layout = layout_of(grid, exactness);
  const std::int64_t in_slots = host_bytes(*layout, slots);
  const auto share = static_cast<std::int64_t>(static_cast<double>(available_) * band_share);
  const Bands bands = bands_of(grid, std::max(share, available_ - in_slots));
  if (in_slots + bands.buffers * bands.bytes > available_) return false;
  if (limits_.is_device && device_bytes(*layout, slots) > device_budget()) return false;
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
  const std::int64_t libraries = library_bytes();
  if (libraries > 0) plan.memory.emplace_back("device libraries", libraries);
  if (limits_.device_is_host) plan.memory.emplace_back("simulated device", device_bytes(*layout, plan.slots));
  return true;
}

void Layouter::refuse(TileSize tile) const {
  const TileGrid grid(info_.rows, info_.cols, tile.rows, tile.cols);
  const auto layout = layout_of(TileGrid(grid.tile_rows(), grid.tile_cols(), tile.rows, tile.cols), Exactness::exact);
  if (limits_.is_device && device_bytes(*layout, 1) > device_budget()) {
    fail(Errc::out_of_memory,
         fmt::format("{} has {} of memory free; one tile of {} x {} pixels of this input needs {} there",
                     in_.backend.name(), format_bytes(static_cast<double>(limits_.device_bytes_free)), grid.tile_rows(),
                     grid.tile_cols(), format_bytes(static_cast<double>(device_bytes(*layout, 1)))));
  }
  const std::int64_t least = fixed_ + host_bytes(*layout, 1);
  const std::int64_t libraries = library_bytes();
  fail(Errc::usage,
       fmt::format("--memory {}M is too little: one tile of {} x {} pixels of this input needs {}M ({}M of it "
                   "for the program itself{}); give at least that",
                   in_.memory_cap_bytes / mib, grid.tile_rows(), grid.tile_cols(), least / mib + 1, process_bytes / mib,
                   libraries > 0 ? fmt::format(", {}M for the libraries of devices", libraries / mib) : ""));
}

}  // namespace outcrop::pipeline
