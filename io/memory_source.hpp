// A TileSource over numbers in memory, for tests and benchmarks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/tile_source.hpp"

namespace outcrop::io {

struct MemoryPlane {
  std::string name;
  std::int64_t depth = 1;
  std::vector<float> values;    ///< [depth][rows * cols]
  std::int64_t chunk_rows = 0;  ///< what describe() says; 0: not chunked
  std::int64_t chunk_cols = 0;
  bool integers = false;
};

/// fetch() copies the tile's pixels into the raw area, decode() from there into the planes.
/// Throws: Errc::internal when a plane has another number of values.
std::unique_ptr<TileSource> make_memory_source(std::int64_t rows, std::int64_t cols, std::vector<MemoryPlane> planes);

}  // namespace outcrop::io
