// The seam between the host program of invert-network and its kernels, one for each instruction set: plain data only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/programs/pixel_counts.hpp"
#include "model/inversion_tables.hpp"

namespace outcrop::cpu {

/// `stride` is a multiple of every pack: the pixels from num_pixels to the end of a row may be read and written.
struct InvertNetworkPlanes : model::InversionPlanes {
  std::int64_t num_pixels = 0;
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
