// Where the device program of correct-topography has its planes and its working memory: plain pointers to device
// memory.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "model/pixel/column.hpp"

namespace outcrop::gpu {

/// The planes of one slot; absent ones are null. Rows of [depth] planes are `stride` pixels apart.
struct TopographyPlanes {
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
  std::uint8_t* findings = nullptr;     ///< [1] bit f: the pixel shows finding f
};

/// Working memory: arrays [length][threads].
struct TopographyScratch {
  std::int64_t threads = 1;
  double* coefficient = nullptr;  ///< [rank]
  double* of_baseline = nullptr;  ///< [rank]; only where pixels have their own baselines
};

/// The working memory of one thread.
struct TopographyColumns {
  model::pixel::Strided<double> coefficient;
  model::pixel::Strided<double> of_baseline;
};

OUTCROP_HD inline TopographyColumns columns_of(const TopographyScratch& s, std::int64_t thread) {
  return {{s.coefficient + thread, s.threads}, {s.of_baseline + thread, s.threads}};
}

}  // namespace outcrop::gpu
