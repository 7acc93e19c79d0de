// The baseline of both steps: one dense least-squares problem a pixel, by the LAPACK routine that MintPy reaches.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/steps/invert_network.hpp"

namespace outcrop::bench {

/// OpenBLAS takes processors it does not know for very old ones: starts this program again with the kernels that fit.
/// Returns when they are chosen already, or when the variable OPENBLAS_CORETYPE is set.
void choose_least_squares_kernels(char** argv);

/// The library behind sgelsd_ and its version; limits it to one thread.
std::string prepare_least_squares();

/// One dense problem after the other, solved by sgelsd_ in float32, in memory that is allocated once.
class DenseProblem {
 public:
  DenseProblem(std::size_t most_rows, std::size_t num_unknowns);

  float* matrix() { return matrix_.data(); }  ///< [rows, unknowns], column after column; destroyed by solve()
  float* right() { return right_.data(); }    ///< [rows] in, [unknowns] out

  /// Gives: processor seconds that the library took. Throws: Errc::internal when it reports a failure.
  double solve(std::size_t num_rows);

 private:
  std::size_t num_unknowns_;
  std::vector<float> matrix_;
  std::vector<float> right_;
  std::vector<float> singular_values_;
  std::vector<float> work_;
  std::vector<int> integer_work_;
};

/// Weighted problems of the pixels of a stack.
class NetworkProblem {
 public:
  explicit NetworkProblem(const model::InvertNetwork& parameters);

  /// phase [M] rad and root_weight [M] of a pixel; rows of NaN phases are left out. Gives: see DenseProblem::solve().
  double solve(const std::vector<float>& phase, const std::vector<float>& root_weight);

 private:
  std::size_t num_unknowns_;
  std::size_t num_pairs_;
  std::vector<float> design_;  ///< [M, D - 1] years, row after row
  DenseProblem problem_;
};

}  // namespace outcrop::bench
