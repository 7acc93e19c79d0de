// The seam between the host program of invert-network and its kernels, one for each instruction set: plain data only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "model/elimination.hpp"
#include "model/pixel/weight.hpp"
#include "model/steps/invert_network.hpp"

namespace outcrop::cpu {

/// What is the same for all pixels.
struct InvertNetworkTables {
  model::EliminationView plan;
  const std::int32_t* pair_in_use = nullptr;  ///< [num_in_use] pairs whose reference is finite
  std::int32_t num_in_use = 0;
  const float* reference = nullptr;  ///< [M] rad
  model::pixel::WeightView weight;
  model::MaskRule mask = model::MaskRule::none;
  bool mask_is_coherence = false;
  float mask_threshold = 0;
  double min_redundancy = 0;
  model::MinimumNorm norm = model::MinimumNorm::velocity;
  const double* step_yr = nullptr;  ///< [D - 1] years between neighbouring dates
  double metres_per_radian = 1;
};

/// The planes of one slot; absent ones are null. Rows of [depth] planes are `stride` pixels apart, and `stride` is a
/// multiple of every pack: the pixels from num_pixels to the end of a row may be read and written.
struct InvertNetworkPlanes {
  std::int64_t num_pixels = 0;
  std::int64_t stride = 0;
  const float* phase = nullptr;         ///< [M] rad
  const float* coherence = nullptr;     ///< [M]
  const float* mask = nullptr;          ///< [M]
  const float* water_mask = nullptr;    ///< [1]
  const float* quality_mask = nullptr;  ///< [1]
  float* timeseries = nullptr;          ///< [D] m
  float* temporal_coherence = nullptr;  ///< [1]
  float* count = nullptr;               ///< [1]
  std::uint8_t* status = nullptr;       ///< [1] PixelStatus
};

/// What the pixels of a run came to.
struct PixelCounts {
  std::int64_t status[num_pixel_status] = {};
  std::int64_t with_infinity = 0;
};

/// One instruction set's kernel.
struct InvertNetworkKernel {
  int width = 0;  ///< pixels in a pack

  /// Bytes of scratch that one worker needs.
  std::int64_t (*scratch_bytes)(std::int64_t num_dates, std::int64_t num_pairs, std::int64_t num_edges) = nullptr;

  /// Solves the pixels [begin, end) of the slot; begin is a multiple of `width`. `scratch`: aligned to 64 bytes.
  void (*run)(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes, std::int64_t begin,
              std::int64_t end, std::byte* scratch, PixelCounts& counts) = nullptr;
};

}  // namespace outcrop::cpu
