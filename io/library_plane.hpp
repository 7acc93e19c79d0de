// LibraryReader and ResidentReader: planes that only HDF5 can read, tile by tile or whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "io/h5/dataset.hpp"
#include "io/plane_reader.hpp"
#include "io/stored_plane.hpp"

namespace outcrop::io {

/// Reads the wanted layers of a tile through HDF5, one thread at a time.
class LibraryReader final : public PlaneReader {
 public:
  /// `as_stored`: HDF5 gives the file's own numbers and plane.element tells what they are; else it converts them, and
  /// plane.element is native float32.
  LibraryReader(StoredPlane plane, std::shared_ptr<const h5::Dataset> dataset, bool as_stored);

  std::int64_t scratch_bytes() const override { return 0; }
  StoredVolume stored() const override;
  std::unique_ptr<PlaneTile> tile(const TileRect& rect) const override;

 private:
  friend class LibraryTile;

  StoredPlane plane_;
  std::shared_ptr<const h5::Dataset> dataset_;
  bool as_stored_;
};

/// Holds a dataset of a few kilobytes, which HDF5 keeps inside its header.
class ResidentReader final : public PlaneReader {
 public:
  /// `bytes`: the whole dataset as stored.
  ResidentReader(StoredPlane plane, std::vector<std::byte> bytes);

  std::int64_t scratch_bytes() const override { return 0; }
  StoredVolume stored() const override { return {static_cast<std::int64_t>(bytes_.size()), 0, 0, false}; }
  std::unique_ptr<PlaneTile> tile(const TileRect& rect) const override;

 private:
  friend class ResidentTile;

  StoredPlane plane_;
  std::vector<std::byte> bytes_;
};

}  // namespace outcrop::io
