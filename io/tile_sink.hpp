// TileSink: where a step's output planes go. Nothing appears at a final name before commit().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "core/tile.hpp"

namespace outcrop::io {

/// A rectangle of one output plane in memory: layer k, row r begins at data + k * layer_stride + r * row_stride
/// (bytes).
struct PlaneBlock {
  int plane = 0;  ///< index in TileSink::planes()
  TileRect rect;
  const std::byte* data = nullptr;
  std::int64_t layer_stride_bytes = 0;
  std::int64_t row_stride_bytes = 0;
};

/// One output plane as the sink stores it.
struct SinkPlane {
  std::string name;  ///< the step's name for it
  std::int64_t depth = 1;
  DType dtype = DType::f32;
};

/// A root attribute that is known only at the end of a run.
struct LateAttribute {
  std::string name;
  std::string value;
  int group = -1;  ///< of the files that get it (OutputFile::group); -1: all files
};

class TileSink {
 public:
  virtual ~TileSink() = default;  ///< abandons what was not committed

  virtual const std::vector<SinkPlane>& planes() const = 0;

  /// Memory it holds from begin() on, for the plan.
  virtual std::int64_t held_bytes() const { return 0; }

  /// Bytes, at most, that storage is not asked to take before commit().
  virtual std::int64_t late_bytes() const { return 0; }

  /// What begin() wants to be free on the storage, where it asks.
  virtual std::int64_t space_bytes() const { return 0; }

  /// Creates the unfinished files and their space. Throws: Errc::io (no space, no permission) with the path.
  virtual void begin() = 0;

  /// Writes all layers of a rectangle. Any thread, any order, each pixel once; the planes of one rectangle come one
  /// after the other, in the order of planes(). Gives: bytes written.
  virtual std::int64_t write(const PlaneBlock& block) = 0;

  /// Adds root attributes that are known only now, makes everything durable and moves it to the final names.
  virtual void commit(const std::vector<LateAttribute>& attributes) = 0;

  /// Removes the unfinished files. Called by the runner after a failure; never throws.
  virtual void abandon() noexcept = 0;
};

}  // namespace outcrop::io
