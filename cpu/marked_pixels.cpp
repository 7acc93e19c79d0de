#include "cpu/marked_pixels.hpp"

#include <fmt/format.h>

#include "core/status.hpp"
#include "model/steps/correct_topography.hpp"
#include "model/steps/invert_network.hpp"

namespace outcrop::cpu {
namespace {

/// Of the matrices of doubles, as large as the design matrix or square, that the reference holds at once.
constexpr std::int64_t num_matrices = 6;

std::int64_t matrix_bytes(std::int64_t rows, std::int64_t columns) {
  return (rows * columns + columns * columns) * static_cast<std::int64_t>(sizeof(double));
}

}  // namespace

MarkedSolver make_marked_solver(const model::Step& step, const SlotLayout& layout) {
  if (step.name == "invert-network") return make_marked_network_solver(step, layout);
  if (step.name == "correct-topography") return make_marked_topography_solver(step, layout);
  fail(Errc::unsupported, fmt::format("there is no reference for pixels of the step '{}' that cannot be solved by "
                                      "normal equations",
                                      step.name));
}

std::int64_t marked_solver_bytes(const model::Step& step, int num_workers) {
  if (step.name == "invert-network") {
    const auto& p = step.as<model::InvertNetwork>();
    return num_workers * num_matrices * matrix_bytes(p.num_pairs(), p.network.num_dates());
  }
  const auto& p = step.as<model::CorrectTopography>();
  // The reference turns dates into rows by a matrix.
  return num_workers * num_matrices * matrix_bytes(p.num_dates(), p.num_dates());
}

std::vector<std::int64_t> find_marked(const std::uint8_t* status, std::int64_t num_pixels) {
  std::vector<std::int64_t> pixels;
  for (std::int64_t i = 0; i < num_pixels; ++i) {
    if (status[i] == marked_pixel) pixels.push_back(i);
  }
  return pixels;
}

}  // namespace outcrop::cpu
