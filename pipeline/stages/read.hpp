// The read stage: stored bytes of a tile into its slot. Waits for storage.
#pragma once

#include "core/slot.hpp"
#include "io/tile_source.hpp"

namespace outcrop::pipeline {

class ReadStage {
 public:
  explicit ReadStage(const io::TileSource& source) : source_(source) {}

  /// Gives: bytes read.
  std::int64_t operator()(Slot& slot) const {
    slot.num_read = source_.fetch(slot.rect, slot.raw());
    return slot.num_read;
  }

 private:
  const io::TileSource& source_;
};

}  // namespace outcrop::pipeline
