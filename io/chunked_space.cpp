// Copies blocks of a plane to the chunks they touch.
#include "io/chunked_space.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "core/check.hpp"
#include "io/h5/dataset.hpp"

namespace outcrop::io {
namespace {

std::int64_t layers_of(const std::vector<std::int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end() - 2, std::int64_t{1}, std::multiplies<>());
}

/// First byte of a row of the chunk's part in the block.
const std::byte* row_in_block(const PlaneBlock& block, const TouchedChunk& chunk, std::int64_t layer, std::int64_t row,
                              std::int64_t element_bytes) {
  return block.data + layer * block.layer_stride_bytes +
         (chunk.part.row + row - block.rect.row) * block.row_stride_bytes +
         (chunk.part.col - block.rect.col) * element_bytes;
}

/// Offset of the same row in the chunk.
std::int64_t row_in_chunk(const StoredPlane& plane, const TouchedChunk& chunk, std::int64_t layer, std::int64_t row) {
  return ((layer * plane.chunk.rows + chunk.row + row) * plane.chunk.cols + chunk.col) * plane.element.size_bytes;
}

}  // namespace

StoredPlane written_plane(const std::string& path, const std::string& dataset, const std::vector<std::int64_t>& shape,
                          const std::vector<std::int64_t>& chunk, std::int64_t element_bytes) {
  StoredPlane plane;
  plane.path = path;
  plane.dataset = dataset;
  plane.shape = {layers_of(shape), shape[shape.size() - 2], shape.back()};
  plane.chunk = {layers_of(chunk), chunk[chunk.size() - 2], chunk.back()};
  plane.element.size_bytes = static_cast<int>(element_bytes);
  std::vector<std::int64_t> layers(static_cast<std::size_t>(plane.shape.layers));
  std::iota(layers.begin(), layers.end(), std::int64_t{0});
  plane.groups = group_layers(layers, plane.chunk.layers);
  return plane;
}

bool covers_chunk(const StoredPlane& plane, const TouchedChunk& chunk) {
  const std::int64_t top = chunk.part.row - chunk.row;
  const std::int64_t left = chunk.part.col - chunk.col;
  return chunk.row == 0 && chunk.col == 0 && chunk.part.rows == std::min(plane.chunk.rows, plane.shape.rows - top) &&
         chunk.part.cols == std::min(plane.chunk.cols, plane.shape.cols - left);
}

void copy_to_chunk(const StoredPlane& plane, const PlaneBlock& block, const TouchedChunk& chunk, std::byte* plain) {
  const std::int64_t element_bytes = plane.element.size_bytes;
  const auto row_bytes = static_cast<std::size_t>(chunk.part.cols * element_bytes);
  for (const WantedLayer& layer : plane.groups[static_cast<std::size_t>(chunk.group)].layers) {
    for (std::int64_t row = 0; row < chunk.part.rows; ++row) {
      std::memcpy(plain + row_in_chunk(plane, chunk, layer.in_chunk, row),
                  row_in_block(block, chunk, layer.in_plane, row, element_bytes), row_bytes);
    }
  }
}

ChunkedSpace ChunkedSpace::open(const std::string& path, const std::string& dataset, const SinkPlane& plane) {
  const auto file = h5::File::open(path);
  const auto opened = h5::Dataset::open(file, dataset);
  const auto& info = opened.info();
  auto index = h5::build_chunk_index(opened, *StoredFile::open(path)).index;
  OUTCROP_EXPECT(
      static_cast<std::int64_t>(index.chunks().size()) == index.grid().num_chunks() && !index.needs_library(),
      "a chunk of " + dataset + " has no place in " + path);
  return {written_plane(path, dataset, info.shape, info.chunk, size_bytes(plane.dtype)), std::move(index)};
}

void ChunkedSpace::write(const PartFile& part, const PlaneBlock& block) const {
  if (block.rect.pixels() == 0) return;
  for (const TouchedChunk& chunk : touched_chunks(plane_, block.rect)) {
    covers_chunk(plane_, chunk) ? write_whole(part, block, chunk) : write_rows(part, block, chunk);
  }
}

void ChunkedSpace::write_whole(const PartFile& part, const PlaneBlock& block, const TouchedChunk& chunk) const {
  std::vector<std::byte> plain(static_cast<std::size_t>(plane_.chunk_bytes()));
  copy_to_chunk(plane_, block, chunk, plain.data());
  part.write(plain.data(), plane_.chunk_bytes(), index_.find(chunk.number)->address, plane_.dataset);
}

void ChunkedSpace::write_rows(const PartFile& part, const PlaneBlock& block, const TouchedChunk& chunk) const {
  const std::int64_t element_bytes = plane_.element.size_bytes;
  const std::int64_t row_bytes = chunk.part.cols * element_bytes;
  const std::int64_t address = index_.find(chunk.number)->address;
  const bool rows_touch = chunk.part.cols == plane_.chunk.cols && block.row_stride_bytes == row_bytes;
  const std::int64_t rows_a_run = rows_touch ? chunk.part.rows : 1;
  for (const WantedLayer& layer : plane_.groups[static_cast<std::size_t>(chunk.group)].layers) {
    for (std::int64_t row = 0; row < chunk.part.rows; row += rows_a_run) {
      part.write(row_in_block(block, chunk, layer.in_plane, row, element_bytes), rows_a_run * row_bytes,
                 address + row_in_chunk(plane_, chunk, layer.in_chunk, row), plane_.dataset);
    }
  }
}

}  // namespace outcrop::io
