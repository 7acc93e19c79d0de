// Finds the chunks under a tile and copies rows out of them.
#include "io/stored_plane.hpp"

#include <algorithm>

namespace outcrop::io {
namespace {

float* first_pixel(const TileRect& part, const TileRect& rect, std::int64_t layer, const View<float, 2>& out) {
  return out.data_handle() + layer * out.stride(0) + (part.row - rect.row) * rect.cols + (part.col - rect.col);
}

TouchedChunk touch(const StoredPlane& plane, const TileRect& rect, std::int64_t chunk_row, std::int64_t chunk_col) {
  TouchedChunk touched;
  const std::int64_t top = chunk_row * plane.chunk.rows;
  const std::int64_t left = chunk_col * plane.chunk.cols;
  touched.part.row = std::max(top, rect.row);
  touched.part.col = std::max(left, rect.col);
  touched.part.rows = std::min(top + plane.chunk.rows, rect.row + rect.rows) - touched.part.row;
  touched.part.cols = std::min(left + plane.chunk.cols, rect.col + rect.cols) - touched.part.col;
  touched.row = touched.part.row - top;
  touched.col = touched.part.col - left;
  return touched;
}

}  // namespace

std::vector<TouchedChunk> touched_chunks(const StoredPlane& plane, const TileRect& rect) {
  std::vector<TouchedChunk> chunks;
  const std::int64_t down = plane.chunks_down();
  const std::int64_t across = plane.chunks_across();
  for (std::size_t g = 0; g < plane.groups.size(); ++g) {
    for (std::int64_t r = rect.row / plane.chunk.rows; r * plane.chunk.rows < rect.row + rect.rows; ++r) {
      for (std::int64_t c = rect.col / plane.chunk.cols; c * plane.chunk.cols < rect.col + rect.cols; ++c) {
        TouchedChunk touched = touch(plane, rect, r, c);
        touched.group = static_cast<std::int64_t>(g);
        touched.number = (plane.groups[g].chunk_layer * down + r) * across + c;
        chunks.push_back(touched);
      }
    }
  }
  return chunks;
}

std::int64_t part_row_bytes(const StoredPlane& plane, const TouchedChunk& chunk) {
  return chunk.part.cols * plane.element.size_bytes;
}

std::int64_t part_layer_bytes(const StoredPlane& plane, const TouchedChunk& chunk) {
  return chunk.part.rows * part_row_bytes(plane, chunk);
}

std::int64_t row_address(const StoredPlane& plane, const TouchedChunk& chunk, std::int64_t address, std::int64_t layer,
                         std::int64_t row) {
  return address + (layer * plane.chunk.rows + chunk.row + row) * plane.row_bytes() +
         chunk.col * plane.element.size_bytes;
}

std::int64_t float_bytes(const StoredPlane& plane, const TileRect& rect) {
  std::size_t layers = 0;
  for (const LayerGroup& group : plane.groups) layers += group.layers.size();
  return static_cast<std::int64_t>(layers * sizeof(float)) * rect.pixels();
}

TileRect pixels_of(const StoredPlane& plane, std::int64_t number) {
  const std::int64_t row = number / plane.chunks_across() % plane.chunks_down() * plane.chunk.rows;
  const std::int64_t col = number % plane.chunks_across() * plane.chunk.cols;
  return {row, col, std::min(plane.chunk.rows, plane.shape.rows - row),
          std::min(plane.chunk.cols, plane.shape.cols - col)};
}

const LayerGroup* find_group(const StoredPlane& plane, std::int64_t number) {
  const std::int64_t chunk_layer = number / (plane.chunks_down() * plane.chunks_across());
  const auto at =
      std::lower_bound(plane.groups.begin(), plane.groups.end(), chunk_layer,
                       [](const LayerGroup& group, std::int64_t layer) { return group.chunk_layer < layer; });
  return at != plane.groups.end() && at->chunk_layer == chunk_layer ? &*at : nullptr;
}

void put_rows(const codec::Element& element, const std::byte* in, std::int64_t in_stride_bytes, const TileRect& part,
              const TileRect& rect, std::int64_t layer, const View<float, 2>& out) {
  float* to = first_pixel(part, rect, layer, out);
  if (in_stride_bytes == part.cols * element.size_bytes && part.cols == rect.cols) {
    codec::convert(element, in, to, part.pixels());
    return;
  }
  for (std::int64_t r = 0; r < part.rows; ++r) {
    codec::convert(element, in + r * in_stride_bytes, to + r * rect.cols, part.cols);
  }
}

void put_fill(const StoredPlane& plane, const TouchedChunk& chunk, const TileRect& rect, const View<float, 2>& out) {
  for (const WantedLayer& wanted : plane.groups[static_cast<std::size_t>(chunk.group)].layers) {
    float* to = first_pixel(chunk.part, rect, wanted.in_plane, out);
    for (std::int64_t r = 0; r < chunk.part.rows; ++r) {
      std::fill_n(to + r * rect.cols, chunk.part.cols, plane.fill_value);
    }
  }
}

}  // namespace outcrop::io
