// TileLine: the work of the stages without the pipeline, one tile after the other through one slot.
#pragma once

#include <cstdint>
#include <memory>

#include "core/backend.hpp"
#include "core/parallel.hpp"
#include "core/slot.hpp"
#include "core/tile.hpp"
#include "io/tile_source.hpp"
#include "model/step.hpp"
#include "pipeline/metered_for.hpp"

namespace outcrop::tools {

/// Seconds of one thread: of its processor where one works alone; else the time until all had ended, times their
/// number.
struct LineTime {
  double fetch_s = 0;  ///< also processor time: copies out of the page cache
  double decode_s = 0;
  double solve_s = 0;
};

class TileLine {
 public:
  /// Everything must outlive the line. `parallel` decodes and solves. Tiles are those of `grid`.
  TileLine(const model::Step& step, const io::TileSource& source, const TileGrid& grid, const ParallelFor& parallel);

  /// One tile. The first one a line runs touches its memory for the first time, which takes longer.
  LineTime run(const TileRect& rect);

  LineTime read(const TileRect& rect);  ///< fetches and decodes
  double solve();                       ///< what the slot holds

 private:
  template <class Call>
  double thread_s(const Call& call) const;

  pipeline::MeteredFor parallel_;
  const io::TileSource& source_;
  std::unique_ptr<Backend> backend_;
  Slot slot_;
  std::unique_ptr<TileProgram> program_;
  SlotMemory scratch_;
  int num_inputs_;
};

}  // namespace outcrop::tools
