// RunReader: a plane of plain bytes, in chunks or in one piece, of which only the rows under a tile are read.
#pragma once

#include <cstdint>
#include <memory>

#include "io/h5/chunk_index.hpp"
#include "io/plane_reader.hpp"
#include "io/stored_file.hpp"
#include "io/stored_plane.hpp"

namespace outcrop::io {

class RunReader final : public PlaneReader {
 public:
  /// `index`: of chunks without filters whose addresses are known; one chunk for data in one piece.
  /// `largest_gap_bytes`: unwanted bytes between two runs that are read rather than skipped.
  RunReader(StoredPlane plane, std::shared_ptr<const StoredFile> file, h5::ChunkIndex index,
            std::int64_t largest_gap_bytes);

  std::int64_t scratch_bytes() const override;
  StoredVolume stored() const override;
  std::unique_ptr<PlaneTile> tile(const TileRect& rect) const override;

 private:
  friend class RunTile;

  /// Whether rows of full width lie in the file as they are wanted in the plane.
  bool can_be_direct() const;

  StoredPlane plane_;
  std::shared_ptr<const StoredFile> file_;
  h5::ChunkIndex index_;
  std::int64_t largest_gap_bytes_;
};

}  // namespace outcrop::io
