// ChunkReader: a plane of filtered chunks, each read whole and decoded.
#pragma once

#include <cstdint>
#include <memory>

#include "io/codec/pipeline.hpp"
#include "io/h5/chunk_index.hpp"
#include "io/plane_reader.hpp"
#include "io/stored_plane.hpp"

namespace outcrop::io {

/// What a ChunkReader reads from.
struct ChunkStorage {
  std::shared_ptr<const StoredFile> file;
  std::shared_ptr<const h5::Dataset> dataset;  ///< only where the index needs the library
  h5::ChunkIndex index;
  codec::Pipeline pipeline;
};

class ChunkReader final : public PlaneReader {
 public:
  /// `read_in_decode`: chunks are always read by the decoding jobs, one at a time for each.
  ChunkReader(StoredPlane plane, ChunkStorage storage, bool read_in_decode);

  std::int64_t scratch_bytes() const override { return first_bytes_ + second_bytes_; }
  StoredVolume stored() const override;
  std::unique_ptr<PlaneTile> tile(const TileRect& rect) const override;

 private:
  friend class ChunkTile;

  StoredPlane plane_;
  ChunkStorage storage_;
  bool read_in_decode_;
  std::int64_t first_bytes_ = 0;   ///< of the scratch: what filters write to
  std::int64_t second_bytes_ = 0;  ///< of the scratch: the same, or a stored chunk that a decoding job read
};

}  // namespace outcrop::io
