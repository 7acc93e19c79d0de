// OrthogonalBasis: least squares on columns that are the same for all pixels, decomposed once.
#pragma once

#include <vector>

namespace outcrop::model {

/// Singular values below this part of the largest one are 0, of columns scaled to unit norm.
inline constexpr double rank_tolerance = 1e-10;

/// Of columns S [rows, n]: the least squares answer of least norm to S x = y is x = W (Q' y).
struct OrthogonalBasis {
  int rows = 0;
  int rank = 0;
  std::vector<double> q;         ///< [rows, rank] orthonormal, spans the columns
  std::vector<double> w;         ///< [n, rank]
  std::vector<bool> determined;  ///< [n] false: the column takes part in a combination that is 0; or is 0 itself
};

/// Each column has `rows` values, all finite. Any number of columns, dependent ones and zeros included.
OrthogonalBasis orthogonalise(const std::vector<std::vector<double>>& columns, int rows);

}  // namespace outcrop::model
