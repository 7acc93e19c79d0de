// HeadStart: the first tiles, read while a device still starts, into plain memory of their own. The run that follows
// takes them over instead of reading them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/slot.hpp"
#include "io/tile_source.hpp"
#include "pipeline/blocking_threads.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/run_state.hpp"

namespace outcrop::pipeline {

/// Thread-safe.
class HeadStart {
 public:
  /// Begins to read the tiles of the plan from the first on, `most_tiles` at most, each into memory that is taken when
  /// its turn comes. What goes wrong is kept for take(); a tile for which there is no memory counts as not read.
  HeadStart(const Plan& plan, const io::TileSource& source, const StopSignal& stop, int most_tiles);

  /// Waits for the tiles that are being read.
  ~HeadStart();
  HeadStart(const HeadStart&) = delete;
  HeadStart& operator=(const HeadStart&) = delete;

  /// No other tile is begun.
  void end() { ending_ = true; }

  /// Whether a run by this plan can take the tiles over.
  bool fits(const Plan& plan) const;

  /// Host memory of all its tiles.
  std::int64_t bytes() const;

  /// Puts what was read of the slot's tile into the slot and gives its memory back; a tile that is being read is waited
  /// for. Gives: how the tile was read; nullopt when it was not, and the run reads it. Throws what reading it threw.
  std::optional<Span> take(Slot& slot);

 private:
  enum class State { waiting, reading, read, gone };

  struct Tile {
    State state = State::waiting;
    std::optional<Slot> slot;
    Span span;
    std::optional<Error> error;
  };

  void read(std::int64_t number);

  /// Gives: whether the tile is to be read.
  bool begin(std::int64_t number);

  const TileGrid grid_;
  const std::shared_ptr<const SlotLayout> layout_;
  const io::TileSource& source_;
  const StopSignal& stop_;
  std::atomic<bool> ending_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Tile> tiles_;
  BlockingThreads readers_;  // last: its jobs use the others
};

}  // namespace outcrop::pipeline
