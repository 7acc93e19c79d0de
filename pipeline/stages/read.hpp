// The read stage: stored bytes of a tile into its slot. Waits for storage.
#pragma once

#include <vector>

#include "core/slot.hpp"
#include "io/tile_source.hpp"

namespace outcrop::pipeline {

class ReadStage {
 public:
  explicit ReadStage(const io::TileSource& source) : source_(source) {}

  /// Gives: bytes read.
  std::int64_t operator()(Slot& slot) const {
    std::vector<View<float, 2>> planes;
    for (std::size_t i = 0; i < source_.describe().planes.size(); ++i) {
      planes.push_back(slot.plane<float>(static_cast<int>(i)));
    }
    slot.num_read = source_.fetch(slot.rect, slot.raw(), planes);
    return slot.num_read;
  }

 private:
  const io::TileSource& source_;
};

}  // namespace outcrop::pipeline
