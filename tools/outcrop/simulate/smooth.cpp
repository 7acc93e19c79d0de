// Cubic B-splines on a lattice of random numbers.
#include "tools/outcrop/simulate/smooth.hpp"

#include <array>
#include <cmath>

namespace outcrop::tools {
namespace {

/// Averaging over the spline leaves 0.48 of the deviation of the lattice (0.69 a direction): this brings it back to 1.
constexpr float unit_deviation = 2.1F;

/// Room for 2^20 lattice columns in one row of random numbers.
constexpr std::int64_t row_stride = std::int64_t{1} << 20;

std::array<float, 4> spline_weights(double fraction) {
  const auto t = static_cast<float>(fraction);
  const float u = 1 - t;
  return {u * u * u / 6, (3 * t * t * t - 6 * t * t + 4) / 6, (3 * u * u * u - 6 * u * u + 4) / 6, t * t * t / 6};
}

}  // namespace

LatticeColumns::LatticeColumns(double cells, std::int64_t side, std::int64_t first_col, std::int64_t num_cols)
    : cells_per_pixel_(cells / static_cast<double>(side)) {
  first_node_ = static_cast<std::int64_t>(std::floor(static_cast<double>(first_col) * cells_per_pixel_));
  for (std::int64_t c = 0; c < num_cols; ++c) {
    const double x = static_cast<double>(first_col + c) * cells_per_pixel_;
    node_.push_back(static_cast<std::int32_t>(static_cast<std::int64_t>(std::floor(x)) - first_node_));
    for (const float w : spline_weights(x - std::floor(x))) weight_.push_back(w);
  }
  nodes_.resize(static_cast<std::size_t>(node_.back()) + 4);
}

void LatticeColumns::add_row(const RandomStream& values, std::int64_t row, float amplitude, float* out) {
  const double y = static_cast<double>(row) * cells_per_pixel_;
  const auto top = static_cast<std::int64_t>(std::floor(y));
  const std::array<float, 4> weights = spline_weights(y - std::floor(y));
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const std::int64_t column = first_node_ + static_cast<std::int64_t>(n);
    float sum = 0;
    for (std::int64_t j = 0; j < 4; ++j) {
      sum += weights[static_cast<std::size_t>(j)] * normal_of(values.bits((top + j) * row_stride + column));
    }
    nodes_[n] = sum * unit_deviation * amplitude;
  }
  for (std::size_t c = 0; c < node_.size(); ++c) {
    const float* node = nodes_.data() + node_[c];
    const float* w = weight_.data() + 4 * c;
    out[c] += w[0] * node[0] + w[1] * node[1] + w[2] * node[2] + w[3] * node[3];
  }
}

}  // namespace outcrop::tools
