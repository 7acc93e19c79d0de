#include "model/cost/small_cholesky.hpp"

#include <cmath>
#include <cstddef>

namespace outcrop::model {
namespace {

constexpr double smallest_pivot = 1e-12;

/// The lower triangle becomes the factor. False when a pivot fails.
bool factor(std::vector<double>& a, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) a[j * n + j] -= a[j * n + k] * a[j * n + k];
    if (!(a[j * n + j] > smallest_pivot)) return false;
    a[j * n + j] = std::sqrt(a[j * n + j]);
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) a[i * n + j] -= a[i * n + k] * a[j * n + k];
      a[i * n + j] /= a[j * n + j];
    }
  }
  return true;
}

}  // namespace

std::optional<std::vector<double>> solve_small(std::vector<double> matrix, std::vector<double> right) {
  const std::size_t n = right.size();
  if (!factor(matrix, n)) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i * n + k] * right[k];
    right[i] /= matrix[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) right[i] -= matrix[k * n + i] * right[k];
    right[i] /= matrix[i * n + i];
  }
  return right;
}

}  // namespace outcrop::model
