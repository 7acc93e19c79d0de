// The baseline of both steps: sgelsd_ a pixel.
#include "bench/kernels/least_squares.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "model/network.hpp"

extern "C" {
// The library chose the name. NOLINTNEXTLINE(readability-identifier-naming)
void sgelsd_(const int* rows, const int* cols, const int* right_sides, float* a, const int* a_stride, float* b,
             const int* b_stride, float* singular_values, const float* rcond, int* rank, float* work,
             const int* work_size, int* integer_work, int* info);
char* openblas_get_config();
void openblas_set_num_threads(int num_threads);
}

namespace outcrop::bench {

void choose_least_squares_kernels(char** argv) {
  constexpr const char* variable = "OPENBLAS_CORETYPE";
  if (std::getenv(variable) != nullptr) return;
  const char* best = __builtin_cpu_supports("avx512bw") ? "SkylakeX"
                     : __builtin_cpu_supports("avx2")   ? "Haswell"
                                                        : nullptr;
  if (best == nullptr) return;
  setenv(variable, best, 1);
  execv("/proc/self/exe", argv);  // read when the library is loaded; if it fails, the library's own choice stands
}

std::string prepare_least_squares() {
  openblas_set_num_threads(1);
  return openblas_get_config();
}

DenseProblem::DenseProblem(std::size_t most_rows, std::size_t num_unknowns) : num_unknowns_(num_unknowns) {
  const std::size_t size = std::max(most_rows, num_unknowns);
  matrix_.resize(most_rows * num_unknowns);
  right_.resize(size);
  singular_values_.resize(size);
  work_.resize(64 * size + 16 * size * 26);
  integer_work_.resize(64 * size);
}

double DenseProblem::solve(std::size_t num_rows) {
  const int rows = static_cast<int>(num_rows);
  const int unknowns = static_cast<int>(num_unknowns_);
  const int one = 1;
  const int right_stride = static_cast<int>(right_.size());
  const int work_size = static_cast<int>(work_.size());
  const float rcond = 1e-5F;
  int rank = 0;
  int info = 0;
  const double start_s = thread_cpu_s();
  sgelsd_(&rows, &unknowns, &one, matrix_.data(), &rows, right_.data(), &right_stride, singular_values_.data(), &rcond,
          &rank, work_.data(), &work_size, integer_work_.data(), &info);
  const double taken_s = thread_cpu_s() - start_s;
  if (info != 0) fail(Errc::internal, fmt::format("sgelsd_ of {} x {} gave info {}", rows, unknowns, info));
  return taken_s;
}

NetworkProblem::NetworkProblem(const model::InvertNetwork& parameters)
    : num_unknowns_(static_cast<std::size_t>(parameters.network.num_dates() - 1)),
      num_pairs_(parameters.network.pairs.size()),
      design_(num_pairs_ * num_unknowns_),
      problem_(num_pairs_, num_unknowns_) {
  const std::vector<float> steps_yr = model::date_steps_yr(parameters.network);
  for (std::size_t k = 0; k < num_pairs_; ++k) {
    const model::Pair& pair = parameters.network.pairs[k];
    for (int n = pair.first; n < pair.second; ++n) {
      design_[k * num_unknowns_ + static_cast<std::size_t>(n)] = steps_yr[static_cast<std::size_t>(n)];
    }
  }
}

double NetworkProblem::solve(const std::vector<float>& phase, const std::vector<float>& root_weight) {
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < num_pairs_; ++k) {
    if (std::isfinite(phase[k])) kept.push_back(k);
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::size_t k = kept[i];
    problem_.right()[i] = phase[k] * root_weight[k];
    for (std::size_t n = 0; n < num_unknowns_; ++n) {
      problem_.matrix()[n * kept.size() + i] = design_[k * num_unknowns_ + n] * root_weight[k];
    }
  }
  return problem_.solve(kept.size());
}

}  // namespace outcrop::bench
