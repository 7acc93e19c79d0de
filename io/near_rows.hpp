// NearRows: rows of plain bytes that the system has in memory, read and put into a tile a few at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/tile.hpp"
#include "core/view.hpp"
#include "io/stored_file.hpp"
#include "io/stored_plane.hpp"

namespace outcrop::io {

/// For one job; what it is made of must outlive it.
class NearRows {
 public:
  /// `largest_gap_bytes`: as for a RunReader. `scratch`: of at least an element where put() is called; what
  /// fits into it stays in the cache.
  NearRows(const StoredPlane& plane, const StoredFile& file, std::int64_t largest_gap_bytes,
           std::span<std::byte> scratch)
      : plane_(plane), file_(file), largest_gap_bytes_(largest_gap_bytes), scratch_(scratch) {}

  /// Puts the part of the chunk at `address`, in these layers of its group, into `out` [depth, pixels of rect].
  void put(const TouchedChunk& chunk, std::int64_t address, std::span<const WantedLayer> layers, const TileRect& rect,
           const View<float, 2>& out) const;

  /// What put() reads for a layer.
  std::int64_t layer_bytes(const TouchedChunk& chunk) const {
    return (chunk.part.rows - 1) * stride(chunk) + part_row_bytes(plane_, chunk);
  }

 private:
  /// A chunk and where it goes.
  struct Place {
    const TouchedChunk& chunk;
    std::int64_t address;
    const TileRect& rect;
    const View<float, 2>& out;
  };

  /// From row to row of the part as it is read: with the unwanted end of a row where that is short.
  std::int64_t stride(const TouchedChunk& chunk) const;

  void put_layers(const Place& place, std::span<const WantedLayer> layers) const;
  void put_layer(const Place& place, const WantedLayer& wanted) const;
  void read_rows(std::int64_t address, const TileRect& part, std::int64_t stride) const;

  const StoredPlane& plane_;
  const StoredFile& file_;
  std::int64_t largest_gap_bytes_;
  std::span<std::byte> scratch_;
};

}  // namespace outcrop::io
