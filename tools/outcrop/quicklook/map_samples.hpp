// MapSamples: what the maps of a run need, picked out of its output planes while they go by.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/tile_sink.hpp"
#include "tools/outcrop/quicklook/map_grid.hpp"
#include "tools/outcrop/quicklook/square_sum.hpp"

namespace outcrop::tools {

/// One layer of an output plane.
struct KeptLayer {
  std::string plane;
  std::int64_t layer = 0;
};

/// Knows planes by name and depth and nothing of what they mean. The same blocks in any order, cut in any way, from any
/// threads, leave the same samples.
class MapSamples {
 public:
  /// `squares_of`: a float plane whose root mean square is wanted for each layer; empty: none.
  MapSamples(MapGrid grid, std::vector<KeptLayer> layers, std::string squares_of);

  /// Memory from begin() on.
  std::int64_t held_bytes(const std::vector<io::SinkPlane>& planes) const;

  /// Cells of the map [rows, cols] that count in the root mean squares; without it all do.
  void set_counted(std::vector<bool> counted) { counted_ = std::move(counted); }

  /// Instead: cells count whose kept layer `index` is at least `lowest`. Its plane stands before that of the squares.
  void count_from(std::size_t index, float lowest) { counted_from_ = {index, lowest}; }

  /// Throws Errc::internal when a plane is not among those.
  void begin(const std::vector<io::SinkPlane>& planes);

  /// A block on its way to the sink.
  void note(const io::PlaneBlock& block);

  const MapGrid& grid() const { return grid_; }

  /// [map rows, map cols] of the kept layer; NaN where nothing came by.
  std::span<const float> layer(std::size_t index) const { return values_[index]; }

  /// [depth] of the plane `squares_of`. Pixels whose layers are all exactly 0 or NaN were not solved and do not count.
  const std::vector<SquareSum>& squares() const { return squares_; }

 private:
  void keep(const io::PlaneBlock& block, std::size_t index);
  void add_squares(const io::PlaneBlock& block);
  std::vector<const std::byte*> counted_in(const io::PlaneBlock& block, std::int64_t row, MapGrid::Range cols) const;
  bool counts(std::size_t cell) const;
  const std::byte* place(const io::PlaneBlock& block, std::int64_t row, std::int64_t col, DType dtype) const;

  MapGrid grid_;
  std::vector<KeptLayer> layers_;
  std::string squares_of_;
  std::vector<bool> counted_;
  std::optional<std::pair<std::size_t, float>> counted_from_;

  std::vector<int> plane_of_;  ///< of each kept layer
  std::vector<DType> dtype_of_;
  int squares_plane_ = -1;
  std::vector<std::vector<float>> values_;
  std::vector<SquareSum> squares_;
  std::mutex mutex_;  ///< of squares_
};

}  // namespace outcrop::tools
