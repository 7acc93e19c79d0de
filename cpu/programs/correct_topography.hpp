// The seam between the host program of correct-topography and its kernels, one for each instruction set: plain data
// only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/programs/pixel_counts.hpp"
#include "model/topography_tables.hpp"

namespace outcrop::cpu {

/// The planes of one slot; absent ones are null. Rows of [depth] planes are `stride` pixels apart, begin on a cache
/// line, and `stride` is a multiple of every pack: the pixels from num_pixels to the end of a row may be read and
/// written.
struct CorrectTopographyPlanes {
  std::int64_t num_pixels = 0;
  std::int64_t stride = 0;
  std::int64_t first_col = 0;           ///< of the tile in the scene
  std::int64_t num_cols = 1;            ///< of the tile
  const float* series = nullptr;        ///< [D] m
  const float* bperp = nullptr;         ///< [D] m
  const float* incidence = nullptr;     ///< [1] deg
  const float* slant_range = nullptr;   ///< [1] m
  const float* quality_mask = nullptr;  ///< [1]
  float* corrected = nullptr;           ///< [D] m
  float* residual = nullptr;            ///< [D] m
  float* dem_error = nullptr;           ///< [1] m
  std::uint8_t* status = nullptr;       ///< [1] PixelStatus
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
