// StoredPlane: the shape, chunks and number type of one input plane, and the copying of its rows into a tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/tile.hpp"
#include "core/view.hpp"
#include "io/codec/element.hpp"
#include "io/layer_selection.hpp"

namespace outcrop::io {

/// Layers, rows, columns; a two-dimensional dataset has one layer.
struct Extent3 {
  std::int64_t layers = 1;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t elements() const { return layers * rows * cols; }
};

struct StoredPlane {
  std::string path;     ///< file
  std::string dataset;  ///< inside the file
  Extent3 shape;
  Extent3 chunk;  ///< the shape itself where there are no chunks
  codec::Element element;
  float fill_value = 0;
  std::vector<LayerGroup> groups;

  std::int64_t chunks_down() const { return (shape.rows - 1) / chunk.rows + 1; }
  std::int64_t chunks_across() const { return (shape.cols - 1) / chunk.cols + 1; }
  std::int64_t chunk_bytes() const { return chunk.elements() * element.size_bytes; }
  std::int64_t row_bytes() const { return chunk.cols * element.size_bytes; }  ///< of a chunk
};

/// One chunk that a tile touches, and the part of the image that both share.
struct TouchedChunk {
  std::int64_t group = 0;   ///< of StoredPlane::groups
  std::int64_t number = 0;  ///< in the grid of chunks
  TileRect part;            ///< in pixels of the image
  std::int64_t row = 0;     ///< where `part` begins inside the chunk
  std::int64_t col = 0;
};

/// All chunks with wanted layers that the tile touches.
std::vector<TouchedChunk> touched_chunks(const StoredPlane& plane, const TileRect& rect);

/// Stored bytes of a row of the chunk's part, and of all its rows.
std::int64_t part_row_bytes(const StoredPlane& plane, const TouchedChunk& chunk);
std::int64_t part_layer_bytes(const StoredPlane& plane, const TouchedChunk& chunk);

/// Where a row of the chunk's part begins in the file; `address` is the chunk's, which has no filters.
std::int64_t row_address(const StoredPlane& plane, const TouchedChunk& chunk, std::int64_t address, std::int64_t layer,
                         std::int64_t row);

/// Bytes as float32 of the pixels of the image in all wanted layers of the tile.
std::int64_t float_bytes(const StoredPlane& plane, const TileRect& rect);

/// The pixels of the image that lie in the chunk of this number.
TileRect pixels_of(const StoredPlane& plane, std::int64_t number);

/// The wanted layers in the chunk of this number; nullptr when there are none.
const LayerGroup* find_group(const StoredPlane& plane, std::int64_t number);

/// Converts rows of stored numbers into one layer of a tile.
/// `in`: the first of part.rows rows of part.cols elements, `in_stride_bytes` apart. `out`: [depth, pixels of rect].
void put_rows(const codec::Element& element, const std::byte* in, std::int64_t in_stride_bytes, const TileRect& part,
              const TileRect& rect, std::int64_t layer, const View<float, 2>& out);

/// Fills the part in all wanted layers of the group.
void put_fill(const StoredPlane& plane, const TouchedChunk& chunk, const TileRect& rect, const View<float, 2>& out);

}  // namespace outcrop::io
