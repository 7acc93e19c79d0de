// A TileSink into memory, for tests and benches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/tile_sink.hpp"

namespace outcrop::io {

/// Writes of different pixels may come from different threads, as for every sink.
class MemorySink final : public TileSink {
 public:
  MemorySink(std::int64_t rows, std::int64_t cols, std::vector<SinkPlane> planes);

  const std::vector<SinkPlane>& planes() const override { return planes_; }
  void begin() override;
  std::int64_t write(const PlaneBlock& block) override;
  void commit(const std::vector<LateAttribute>& attributes) override;
  void abandon() noexcept override;

  bool begun() const { return begun_; }
  bool committed() const { return committed_; }
  bool abandoned() const { return abandoned_; }

  /// What commit() was given.
  const std::vector<LateAttribute>& attributes() const { return attributes_; }

  /// [depth, rows, cols] of a plane by name; NaN (255 for u8) where nothing was written.
  std::vector<float> floats(const std::string& plane) const;
  std::vector<std::uint8_t> bytes(const std::string& plane) const;

 private:
  std::size_t index_of(const std::string& plane, DType dtype) const;

  std::int64_t rows_;
  std::int64_t cols_;
  std::vector<SinkPlane> planes_;
  std::vector<std::vector<std::byte>> data_;
  std::vector<LateAttribute> attributes_;
  bool begun_ = false;
  bool committed_ = false;
  bool abandoned_ = false;
};

}  // namespace outcrop::io
