// The decode stage: stored bytes in a slot become planes, and values that cannot be what they claim end the run.
#pragma once

#include <memory>
#include <vector>

#include "core/parallel.hpp"
#include "core/slot.hpp"
#include "io/tile_source.hpp"
#include "model/step.hpp"

namespace outcrop::pipeline {

class DecodeStage {
 public:
  /// Allocates scratch for every worker of `parallel`, which must outlive the stage.
  DecodeStage(const io::TileSource& source, const model::Step& step, const ParallelFor& parallel);

  /// Adds to the slot's counts. Gives: bytes decoded. Throws Errc::corrupt, or Errc::input naming dataset, pixel and
  /// value.
  std::int64_t operator()(Slot& slot) const;

 private:
  void check(const Slot& slot, std::size_t plane) const;

  const io::TileSource& source_;
  const model::Step& step_;
  const ParallelFor& parallel_;
  SlotMemory scratch_;
  std::size_t scratch_bytes_;
};

}  // namespace outcrop::pipeline
