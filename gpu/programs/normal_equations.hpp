// Normal equations of a batch of pixels: from their design matrices to what potrf takes, and whether what it gives can
// be trusted.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "model/pixel/cholesky.hpp"
#include "model/pixel/observation.hpp"

namespace outcrop::gpu {

/// G_batch: design matrices of B pixels. Each is whole in memory, row after row.
struct DesignBatch {
  std::int32_t num_rows = 0;
  std::int32_t size = 0;       ///< unknowns
  double* design = nullptr;    ///< [B, rows, size]
  double* observed = nullptr;  ///< [B, rows]
  double* scale = nullptr;     ///< [B] what the last column was multiplied by
};

/// Matrices column after column, of which only the lower triangle means something; in device memory.
struct NormalBatch {
  std::int32_t size = 0;
  double* normal = nullptr;      ///< [B, size, size] G'G, then Cholesky's factor
  double* side = nullptr;        ///< [B, size] G'y, then the unknowns
  std::int32_t* info = nullptr;  ///< [B + 1] of potrf: 0, or the first column whose pivot is not positive, from 1
};

/// One thread a number: the elements of G'G and G'y of each pixel.
struct NormalKernel {
  DesignBatch from;
  NormalBatch to;

  static OUTCROP_HD std::int64_t items_of(std::int32_t size) { return std::int64_t{size} * (size + 1); }

  OUTCROP_HD void operator()(std::int64_t item, std::int64_t /*thread*/) const {
    const std::int64_t pixel = item / items_of(from.size);
    const auto at = static_cast<std::int32_t>(item % items_of(from.size));
    const std::int32_t i = at / from.size;
    const std::int32_t j = at % from.size;
    if (i < j) return;
    const std::int32_t size = from.size;
    const double* const design = from.design + pixel * from.num_rows * size;
    const double* const observed = from.observed + pixel * from.num_rows;
    double sum = 0;
    for (std::int32_t row = 0; row < from.num_rows; ++row) {
      const double* const g = design + std::int64_t{row} * size;
      sum += g[j] * (i < size ? g[i] : observed[row]);
    }
    if (i < size) {
      to.normal[pixel * size * size + std::int64_t{j} * size + i] = sum;
    } else {
      to.side[pixel * size + j] = sum;
    }
  }
};

/// Whether every column of the pixel's design matrix is independent of those before it. What potrf reports is no test
/// of rank, and the diagonal it began with is gone: it is the square of a row of the factor.
OUTCROP_HD inline bool is_full_rank(const NormalBatch& batch, std::int64_t pixel) {
  if (batch.info[pixel] != 0) return false;
  const double* const factor = batch.normal + pixel * batch.size * batch.size;
  for (std::int32_t j = 0; j < batch.size; ++j) {
    double diagonal = 0;
    for (std::int32_t k = 0; k <= j; ++k) {
      const double share = factor[std::int64_t{k} * batch.size + j];
      diagonal += share * share;
    }
    const double length = factor[std::int64_t{j} * batch.size + j];
    if (!model::pixel::is_strong(length * length, diagonal)) return false;
  }
  return true;
}

/// Whether the pixel's unknowns can be taken: its columns are independent, and the library gave numbers, which it owes
/// for any factor that it reports as good.
OUTCROP_HD inline bool is_solved(const NormalBatch& batch, std::int64_t pixel) {
  if (!is_full_rank(batch, pixel)) return false;
  const double* const unknown = batch.side + pixel * batch.size;
  for (std::int32_t j = 0; j < batch.size; ++j) {
    if (!model::pixel::is_finite(unknown[j])) return false;
  }
  return true;
}

}  // namespace outcrop::gpu
