// Layouter: tiles, slots and output bands that a cap on memory allows.
#pragma once

#include <optional>
#include <vector>

#include "pipeline/plan.hpp"

namespace outcrop::pipeline {

/// [pixels]
struct TileSize {
  std::int64_t rows = 1;
  std::int64_t cols = 1;

  bool operator==(const TileSize&) const = default;
};

struct Layout {
  TileSize tile;
  int slots = 1;
};

/// Headers alone: of most of what the step uses no byte is stored yet.
bool is_unwritten(const io::SourceInfo& source);

/// The inputs must outlive it.
class Layouter {
 public:
  explicit Layouter(const PlanInputs& inputs);

  /// By the usual rule: one chunk where it has pixels enough, else whole chunk columns up to a target size, in as many
  /// slots as there are stages and workers; else fewer, else smaller. Throws as make_plan().
  void choose(Plan& plan) const;

  /// Others than the plan's that configuration and cap leave free, those most like it first.
  std::vector<Layout> alternatives(const Plan& plan) const;

  /// Lays out the plan so. Gives: false when the memory does not hold it.
  bool lay_out(Plan& plan, const Layout& layout) const { return try_tiles(plan, layout, Exactness::exact); }

  /// The same, quickly: for what the tiles hold of stored bytes a mean stands in, so that no file is asked.
  bool sketch(Plan& plan, const Layout& layout) const { return try_tiles(plan, layout, Exactness::mean); }

  /// What the plan takes of the device's memory.
  std::int64_t device_bytes(const Plan& plan) const;

  /// Slots that were wanted, when the device's memory holds fewer.
  std::optional<int> slots_without_room(const Plan& plan) const;

  const ProgramOnDevice& program() const { return on_device_; }

  int queues(int slots) const;

  std::int64_t scratch_bytes() const { return scratch_; }

 private:
  enum class Exactness { exact, mean };

  bool is_tile_given() const { return in_.config.tile_rows > 0 && in_.config.tile_cols > 0; }
  TileSize smallest() const;
  TileSize chunk_unit() const;
  int wanted_slots() const;
  bool try_grown(Plan& plan, TileSize least, int slots) const;
  bool try_cut_chunks(Plan& plan, TileSize tile) const;
  bool is_chunked() const;
  bool is_redecoded() const;
  std::int64_t device_bytes(const SlotLayout& layout, int slots) const;
  std::int64_t device_budget() const;
  std::int64_t device_share(int slots, std::int64_t bytes_per_pixel) const;
  std::int64_t library_bytes() const;
  std::int64_t host_bytes(const SlotLayout& layout, int slots) const;
  std::int64_t stored_bytes_per_pixel() const;
  TileSize grown(TileSize unit, int slots, std::int64_t most_bytes) const;
  std::int64_t raw_bytes(const TileGrid& grid) const;
  std::shared_ptr<const SlotLayout> layout_of(const TileGrid& grid, Exactness exactness) const;
  Bands bands_of(const TileGrid& grid, std::int64_t room) const;
  bool try_tiles(Plan& plan, const Layout& wanted, Exactness exactness) const;
  [[noreturn]] void refuse(TileSize tile) const;

  const PlanInputs& in_;
  const io::SourceInfo& info_;
  std::int64_t scratch_;
  bool unwritten_;
  BackendLimits limits_;
  std::int64_t program_ = 0;
  ProgramOnDevice on_device_;
  std::int64_t fixed_ = 0;
  std::int64_t available_ = 0;
};

}  // namespace outcrop::pipeline
