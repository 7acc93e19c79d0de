// TileRect and TileGrid: the cut of a raster into tiles, short tiles at the edges included.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/check.hpp"

namespace outcrop {

/// A rectangle of the raster, in pixels.
struct TileRect {
  std::int64_t row = 0;
  std::int64_t col = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;

  std::int64_t pixels() const { return rows * cols; }
  bool contains(std::int64_t r, std::int64_t c) const {
    return r >= row && r < row + rows && c >= col && c < col + cols;
  }
  friend bool operator==(const TileRect&, const TileRect&) = default;
};

/// Tiles of `tile_rows` x `tile_cols` over a raster, numbered row by row. The last row and column may be short.
class TileGrid {
 public:
  TileGrid() = default;
  TileGrid(std::int64_t rows, std::int64_t cols, std::int64_t tile_rows, std::int64_t tile_cols)
      : rows_(rows), cols_(cols), tile_rows_(std::min(tile_rows, rows)), tile_cols_(std::min(tile_cols, cols)) {
    OUTCROP_EXPECT(rows > 0 && cols > 0 && tile_rows > 0 && tile_cols > 0, "a tile grid needs positive sizes");
  }

  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  std::int64_t tile_rows() const { return tile_rows_; }
  std::int64_t tile_cols() const { return tile_cols_; }
  std::int64_t across() const { return (cols_ + tile_cols_ - 1) / tile_cols_; }
  std::int64_t down() const { return (rows_ + tile_rows_ - 1) / tile_rows_; }
  std::int64_t count() const { return across() * down(); }

  TileRect rect(std::int64_t tile) const {
    OUTCROP_ASSERT(tile >= 0 && tile < count());
    const std::int64_t row = tile / across() * tile_rows_;
    const std::int64_t col = tile % across() * tile_cols_;
    return {row, col, std::min(tile_rows_, rows_ - row), std::min(tile_cols_, cols_ - col)};
  }

 private:
  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  std::int64_t tile_rows_ = 1;
  std::int64_t tile_cols_ = 1;
};

}  // namespace outcrop
