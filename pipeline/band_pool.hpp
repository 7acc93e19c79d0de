// BandPool: output bands. Tiles are copied into a band as wide as several tiles, which goes out as long runs; a tile
// whose band has no buffer yet is parked until one is written and free again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "core/slot.hpp"
#include "io/tile_sink.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/ticket.hpp"

namespace outcrop::pipeline {

/// A band that all its tiles have reached: to be written, then released.
struct FullBand {
  std::int64_t band = -1;
  int buffer = -1;
  TileRect rect;
  bool poisoned = false;  ///< one of its tiles failed: release without writing
};

/// Thread-safe. Tiles are handed out in order, so of two bands that hold buffers the older has all its tiles in slots
/// already and will be finished: with two buffers or more a run cannot stand still.
class BandPool {
 public:
  BandPool(const Plan& plan, const io::TileSink& sink);

  /// A buffer for the tile's band; nullopt: none is free, the ticket is parked and comes back from release().
  std::optional<int> reserve(const Ticket& ticket);

  /// Copies the tile's output planes into the buffer. Different tiles at the same time.
  void gather(const Slot& slot, int buffer) const;

  /// Says that a tile is done with its band. Gives the band when it was the last one.
  std::optional<FullBand> arrived(const Ticket& ticket);

  /// One block a sink plane, for writing.
  std::vector<io::PlaneBlock> blocks(const FullBand& band) const;

  /// Frees the buffer. Gives the parked tickets whose bands have buffers now.
  std::vector<Ticket> release(const FullBand& band);

 private:
  struct Open {
    int buffer = -1;
    std::int64_t missing = 0;
    bool poisoned = false;
  };

  std::int64_t band_of(std::int64_t tile) const;
  TileRect rect_of(std::int64_t band) const;
  std::int64_t tiles_in(std::int64_t band) const;
  std::optional<int> buffer_for(std::int64_t band);

  TileGrid grid_;
  Bands bands_;
  std::vector<io::SinkPlane> planes_;
  std::vector<int> slot_planes_;            ///< index in the slot of each sink plane
  std::vector<std::int64_t> plane_offset_;  ///< bytes from the start of a buffer
  std::vector<SlotMemory> buffers_;

  std::mutex mutex_;
  std::vector<int> free_;
  std::map<std::int64_t, Open> open_;
  std::deque<Ticket> parked_;
};

/// One block a sink plane straight from a slot, for tiles as wide as the image.
std::vector<io::PlaneBlock> slot_blocks(const Slot& slot, const io::TileSink& sink);

}  // namespace outcrop::pipeline
