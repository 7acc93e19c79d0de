// SmoothField: random numbers on a coarse lattice, joined by cubic B-splines: smooth, cheap, and the same at a pixel
// however the raster is cut.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/outcrop/simulate/random.hpp"

namespace outcrop::tools {

/// Where the pixels of a row lie between the columns of a lattice, for one set of columns of the raster.
class LatticeColumns {
 public:
  /// `cells`: lattice cells along the longer side of the raster, which is `side` pixels long.
  LatticeColumns(double cells, std::int64_t side, std::int64_t first_col, std::int64_t num_cols);

  /// Adds amplitude x field to out[num_cols]. The field has mean 0 and a deviation of about 1.
  void add_row(const RandomStream& values, std::int64_t row, float amplitude, float* out);

 private:
  double cells_per_pixel_;
  std::int64_t first_node_ = 0;
  std::vector<std::int32_t> node_;  ///< [cols] first of the four lattice columns of a pixel, from first_node_
  std::vector<float> weight_;       ///< [cols, 4]
  std::vector<float> nodes_;        ///< lattice columns interpolated to one row
};

}  // namespace outcrop::tools
