// MapGrid: which pixels of an image a small map of it keeps.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/check.hpp"

namespace outcrop::tools {

/// Every n-th row and column, the middle one of each n: single pixels, not means, so that a map shows numbers that are
/// in the product and does not depend on how the image was cut.
class MapGrid {
 public:
  static constexpr std::int64_t longest_side = 800;  ///< cells; the memory of a map follows from it

  /// Rows and columns are thinned alike, but for images so narrow that little would be left of their short side.
  MapGrid(std::int64_t image_rows, std::int64_t image_cols) : image_rows_(image_rows), image_cols_(image_cols) {
    OUTCROP_EXPECT(image_rows > 0 && image_cols > 0, "a map needs an image of positive size");
    const std::int64_t step = over(std::max(image_rows, image_cols), longest_side);
    row_step_ = std::min(step, std::max<std::int64_t>(1, image_rows / shortest_side));
    col_step_ = std::min(step, std::max<std::int64_t>(1, image_cols / shortest_side));
  }

  std::int64_t image_rows() const { return image_rows_; }
  std::int64_t image_cols() const { return image_cols_; }
  std::int64_t row_step() const { return row_step_; }
  std::int64_t col_step() const { return col_step_; }
  std::int64_t rows() const { return over(image_rows_, row_step_); }
  std::int64_t cols() const { return over(image_cols_, col_step_); }
  std::int64_t cells() const { return rows() * cols(); }

  /// Row and column of the image that a row and column of the map shows.
  std::int64_t image_row(std::int64_t row) const { return std::min(row * row_step_ + row_step_ / 2, image_rows_ - 1); }
  std::int64_t image_col(std::int64_t col) const { return std::min(col * col_step_ + col_step_ / 2, image_cols_ - 1); }

  struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };

  /// Rows of the map whose row of the image is one of `count` from `first`; the same for columns.
  Range rows_within(std::int64_t first, std::int64_t count) const {
    return within(first, count, row_step_, [this](std::int64_t i) { return image_row(i); });
  }
  Range cols_within(std::int64_t first, std::int64_t count) const {
    return within(first, count, col_step_, [this](std::int64_t i) { return image_col(i); });
  }

 private:
  static constexpr std::int64_t shortest_side = 64;

  static std::int64_t over(std::int64_t extent, std::int64_t step) { return (extent + step - 1) / step; }

  template <class Place>
  static Range within(std::int64_t first, std::int64_t count, std::int64_t step, Place place) {
    if (count <= 0) return {};
    std::int64_t begin = first / step;
    if (place(begin) < first) ++begin;
    std::int64_t end = (first + count - 1) / step;
    if (place(end) < first + count) ++end;
    return {begin, std::max(begin, end)};
  }

  std::int64_t image_rows_;
  std::int64_t image_cols_;
  std::int64_t row_step_ = 1;
  std::int64_t col_step_ = 1;
};

}  // namespace outcrop::tools
