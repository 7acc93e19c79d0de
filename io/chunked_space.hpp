// ChunkedSpace: a dataset without filters whose chunks have their places in the file but not yet their values.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "io/h5/chunk_index.hpp"
#include "io/part_file.hpp"
#include "io/stored_plane.hpp"
#include "io/tile_sink.hpp"

namespace outcrop::io {

/// Immutable; any thread.
class ChunkedSpace {
 public:
  /// Finds the chunks of a dataset that was made with h5::create_chunked(). `plane`: how a tile sees it.
  /// Throws: Errc::internal when a chunk has no place.
  static ChunkedSpace open(const std::string& path, const std::string& dataset, const SinkPlane& plane);

  /// Writes all layers of a rectangle. A block that covers all pixels of a chunk is written with one call, the elements
  /// beyond the edge of the image being 0; others row by row, which leaves those elements as a new file has them: 0.
  void write(const PartFile& part, const PlaneBlock& block) const;

 private:
  ChunkedSpace(StoredPlane plane, h5::ChunkIndex index) : plane_(std::move(plane)), index_(std::move(index)) {}

  void write_whole(const PartFile& part, const PlaneBlock& block, const TouchedChunk& chunk) const;
  void write_rows(const PartFile& part, const PlaneBlock& block, const TouchedChunk& chunk) const;

  StoredPlane plane_;
  h5::ChunkIndex index_;
};

/// Whether the part is all of the chunk that lies in the image.
bool covers_chunk(const StoredPlane& plane, const TouchedChunk& chunk);

/// Copies the part of a block that lies in a chunk to the chunk's plain form. Elements outside the part stay as they
/// are.
void copy_to_chunk(const StoredPlane& plane, const PlaneBlock& block, const TouchedChunk& chunk, std::byte* plain);

/// A plane of `depth` layers in a dataset of this shape and these chunks; dimensions before rows and columns are
/// layers.
StoredPlane written_plane(const std::string& path, const std::string& dataset, const std::vector<std::int64_t>& shape,
                          const std::vector<std::int64_t>& chunk, std::int64_t element_bytes);

}  // namespace outcrop::io
