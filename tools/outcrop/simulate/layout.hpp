// How the inputs of a simulated scene are stored: contiguous or in chunks, with or without filters.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/tile.hpp"
#include "io/encoding_sink.hpp"

namespace outcrop::tools {

struct Layout {
  std::array<std::int64_t, 3> chunk = {0, 0, 0};  ///< pairs, rows, columns; zeros: contiguous
  io::Encoding encoding;

  bool is_chunked() const { return chunk[1] > 0; }
};

/// The size of the stack that is laid out.
struct StackSize {
  std::int64_t pairs = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

/// `chunks`: none, auto (h5py's guess for the float32 stack) or Z,Y,X; empty: none without, auto with filters.
/// `compression`: none, lzf, gzip, either with +shuffle; empty: none.
/// Throws: Errc::usage naming the flag and what it can be.
Layout make_layout(const std::string& chunks, const std::string& compression, bool fletcher32, const StackSize& stack);

/// The chunk that h5py chooses for a dataset when it is left the choice.
std::vector<std::int64_t> guess_chunk(const std::vector<std::int64_t>& shape, std::int64_t element_bytes);

/// Tiles of whole chunks, of about as many pixels as wanted; of full rows where that many allow it.
TileGrid chunk_aligned_grid(const Layout& layout, std::int64_t rows, std::int64_t cols, std::int64_t wanted_pixels);

}  // namespace outcrop::tools
