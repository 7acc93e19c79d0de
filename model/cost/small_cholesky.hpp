// Cholesky's factor of a small symmetric positive definite matrix, for fits of a few coefficients.
#pragma once

#include <optional>
#include <vector>

namespace outcrop::model {

/// Solves matrix x = right; the matrix is [n][n] row by row, with a unit diagonal or nearly so. Nothing when a pivot is
/// not above 1e-12: the columns behind the matrix depend on each other.
std::optional<std::vector<double>> solve_small(std::vector<double> matrix, std::vector<double> right);

}  // namespace outcrop::model
