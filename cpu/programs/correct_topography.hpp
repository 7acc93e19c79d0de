// The seam between the host program of correct-topography and its kernels, one for each instruction set: plain data
// only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/programs/pixel_counts.hpp"
#include "model/topography_tables.hpp"

namespace outcrop::cpu {

/// Rows begin on a cache line, and `stride` is a multiple of every pack: the pixels from num_pixels to the end of a row
/// may be read and written.
struct CorrectTopographyPlanes : model::TopographyPlanes {
  std::int64_t num_pixels = 0;
};

using TopographyCounts = PixelCounts<model::num_correct_topography_findings>;

/// One instruction set's kernel.
struct CorrectTopographyKernel {
  int width = 0;  ///< pixels in a pack

  /// Bytes of scratch that one worker needs. `own_baselines`: each pixel has its own. `num_unknowns`: as in the tables.
  std::int64_t (*scratch_bytes)(const model::pixel::FitView& fit, bool own_baselines,
                                std::int32_t num_unknowns) = nullptr;

  /// Solves the pixels [begin, end) of the slot, or gives them the status `marked_pixel` (core/status.hpp); begin is a
  /// multiple of `width`. `scratch`: aligned to 64 bytes.
  void (*run)(const model::TopographyView& tables, const CorrectTopographyPlanes& planes, std::int64_t begin,
              std::int64_t end, std::byte* scratch, TopographyCounts& counts) = nullptr;
};

}  // namespace outcrop::cpu
