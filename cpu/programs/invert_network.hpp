// The seam between the host program of invert-network and its kernels, one for each instruction set: plain data only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/programs/pixel_counts.hpp"
#include "model/inversion_tables.hpp"

namespace outcrop::cpu {

/// The planes of one slot; absent ones are null. Rows of [depth] planes are `stride` pixels apart, and `stride` is a
/// multiple of every pack: the pixels from num_pixels to the end of a row may be read and written.
struct InvertNetworkPlanes {
  std::int64_t num_pixels = 0;
  std::int64_t stride = 0;
  const float* observation = nullptr;   ///< [M]
  const float* coherence = nullptr;     ///< [M]
  const float* deviation = nullptr;     ///< [M] unit of the observation
  const float* mask = nullptr;          ///< [M]
  const float* water_mask = nullptr;    ///< [1]
  const float* quality_mask = nullptr;  ///< [1]
  float* timeseries = nullptr;          ///< [D] m
  float* quality = nullptr;             ///< [1]
  float* count = nullptr;               ///< [1]
  std::uint8_t* status = nullptr;       ///< [1] PixelStatus
  std::uint8_t* islands = nullptr;      ///< [1]
  float* covariance = nullptr;          ///< [D * D] m^2
};

using InversionCounts = PixelCounts<model::num_invert_network_findings>;

/// One instruction set's kernel.
struct InvertNetworkKernel {
  int width = 0;  ///< pixels in a pack

  /// Bytes of scratch that one worker needs.
  std::int64_t (*scratch_bytes)(const model::EliminationView& plan, bool covariance, bool batched) = nullptr;

  /// Solves the pixels [begin, end) of the slot, or gives them the status `marked_pixel` (core/status.hpp); begin is a
  /// multiple of `width`. `scratch`: aligned to 64 bytes.
  void (*run)(const model::InversionView& tables, const InvertNetworkPlanes& planes, std::int64_t begin,
              std::int64_t end, std::byte* scratch, InversionCounts& counts) = nullptr;
};

}  // namespace outcrop::cpu
