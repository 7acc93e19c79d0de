// The seam between the host program of correct-topography and its kernels, one for each instruction set: plain data
// only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "model/pixel/project.hpp"
#include "model/steps/correct_topography.hpp"

namespace outcrop::cpu {

/// What is the same for all pixels.
struct CorrectTopographyTables {
  model::pixel::FitView fit;
  std::int32_t reference_date = 0;
  const model::pixel::SharedBaselineView* shared = nullptr;  ///< null: each pixel has its own baselines
  bool columns_dependent = false;                            ///< of the shared columns
  bool columns_surprising = false;                           ///< ... although none is 0 and there are rows enough
  bool rows_enough = true;                                   ///< more rows than shared columns: c need not be dependent
  bool empty_by_mean = false;
  std::int32_t num_unknowns = 0;  ///< of the batched solver: shared columns and the pixel's own; 0: the structured one
  bool all_deficient = false;     ///< of the batched solver: the shared baselines are no independent column
  double incidence_deg = 0;       ///< where there is no plane
  double first_range_m = 0;       ///< where there is no plane: at column 0 of the scene
  double range_per_column_m = 0;
};

/// The planes of one slot; absent ones are null. Rows of [depth] planes are `stride` pixels apart, and `stride` is a
/// multiple of every pack: the pixels from num_pixels to the end of a row may be read and written.
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

/// What the pixels of a run came to.
struct TopographyCounts {
  std::int64_t status[num_pixel_status] = {};
  std::int64_t finding[model::num_correct_topography_findings] = {};
};

/// One instruction set's kernel.
struct CorrectTopographyKernel {
  int width = 0;  ///< pixels in a pack

  /// Bytes of scratch that one worker needs. `own_baselines`: each pixel has its own. `num_unknowns`: as in the tables.
  std::int64_t (*scratch_bytes)(const model::pixel::FitView& fit, bool own_baselines,
                                std::int32_t num_unknowns) = nullptr;

  /// Solves the pixels [begin, end) of the slot, or gives them the status `marked_pixel` (core/status.hpp); begin is a
  /// multiple of `width`. `scratch`: aligned to 64 bytes.
  void (*run)(const CorrectTopographyTables& tables, const CorrectTopographyPlanes& planes, std::int64_t begin,
              std::int64_t end, std::byte* scratch, TopographyCounts& counts) = nullptr;
};

}  // namespace outcrop::cpu
