// Tests of core/tile: a grid covers the raster once, with short tiles at the edges.
#include "core/tile.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using outcrop::TileGrid;
using outcrop::TileRect;

TEST_CASE("every pixel lies in exactly one tile") {
  for (const TileGrid grid :
       {TileGrid(10, 7, 4, 3), TileGrid(1, 1, 5, 5), TileGrid(8, 6, 4, 3), TileGrid(5, 9, 1, 9)}) {
    std::vector<int> hits(static_cast<std::size_t>(grid.rows() * grid.cols()));
    for (std::int64_t tile = 0; tile < grid.count(); ++tile) {
      const TileRect rect = grid.rect(tile);
      for (std::int64_t r = rect.row; r < rect.row + rect.rows; ++r) {
        for (std::int64_t c = rect.col; c < rect.col + rect.cols; ++c) {
          ++hits[static_cast<std::size_t>(r * grid.cols() + c)];
        }
      }
    }
    CHECK(hits == std::vector<int>(hits.size(), 1));
  }
}

TEST_CASE("tiles are numbered row by row and the last ones are short") {
  const TileGrid grid(10, 7, 4, 3);
  CHECK(grid.across() == 3);
  CHECK(grid.down() == 3);
  CHECK(grid.rect(0) == TileRect{0, 0, 4, 3});
  CHECK(grid.rect(2) == TileRect{0, 6, 4, 1});
  CHECK(grid.rect(8) == TileRect{8, 6, 2, 1});
}

TEST_CASE("a tile larger than the raster is the raster") {
  const TileGrid grid(3, 4, 100, 100);
  CHECK(grid.count() == 1);
  CHECK(grid.rect(0) == TileRect{0, 0, 3, 4});
}

TEST_CASE("a raster of more than 2^31 pixels has 64-bit tiles") {
  const TileGrid grid(200000, 200000, 1000, 200000);
  CHECK(grid.count() == 200);
  CHECK(grid.rect(7).pixels() == 200000000);
  CHECK(TileGrid(1 << 20, 1 << 20, 1, 1).count() == std::int64_t{1} << 40);
}

TEST_CASE("a grid without pixels is refused") {
  CHECK_THROWS_AS(TileGrid(0, 4, 1, 1), outcrop::Error);
  CHECK_THROWS_AS(TileGrid(4, 4, 1, 0), outcrop::Error);
}

TEST_CASE("a rectangle contains its first and not its past-the-end pixel") {
  const TileRect rect{2, 3, 4, 5};
  CHECK(rect.contains(2, 3));
  CHECK(rect.contains(5, 7));
  CHECK_FALSE(rect.contains(6, 7));
  CHECK_FALSE(rect.contains(5, 8));
  CHECK_FALSE(rect.contains(1, 3));
}
