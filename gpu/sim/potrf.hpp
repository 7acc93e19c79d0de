// Cholesky's factor as cuSOLVER makes it: the matrix is overwritten, and only a pivot that is not positive is noticed.
#pragma once

#include <cstdint>

#include "model/pixel/lane.hpp"

namespace outcrop::gpu::sim {

/// matrix [size, size], column after column, the lower triangle. Gives: 0, or the first column whose pivot is not
/// positive, from 1; the factor ends before it.
inline std::int32_t potrf(std::int32_t size, double* matrix) {
  for (std::int32_t j = 0; j < size; ++j) {
    double* const column = matrix + std::int64_t{j} * size;
    for (std::int32_t k = 0; k < j; ++k) {
      const double* const earlier = matrix + std::int64_t{k} * size;
      for (std::int32_t i = j; i < size; ++i) column[i] -= earlier[i] * earlier[j];
    }
    if (!(column[j] > 0)) return j + 1;
    const double length = model::pixel::root(column[j]);
    for (std::int32_t i = j; i < size; ++i) column[i] /= length;
  }
  return 0;
}

}  // namespace outcrop::gpu::sim
