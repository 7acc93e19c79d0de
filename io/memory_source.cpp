// Tiles of vectors; all planes of a tile follow each other in the raw area, layer by layer.
#include "io/memory_source.hpp"

#include <cstring>
#include <utility>

#include "core/check.hpp"

namespace outcrop::io {
namespace {

class MemorySource final : public TileSource {
 public:
  MemorySource(std::int64_t rows, std::int64_t cols, std::vector<MemoryPlane> planes) : planes_(std::move(planes)) {
    info_.rows = rows;
    info_.cols = cols;
    for (const MemoryPlane& plane : planes_) {
      OUTCROP_EXPECT(static_cast<std::int64_t>(plane.values.size()) == plane.depth * rows * cols,
                     "plane '" + plane.name + "' has another number of values than depth x rows x cols");
      PlaneInfo info;
      info.name = plane.name;
      info.path = "memory";
      info.dataset = plane.name;
      info.depth = plane.depth;
      info.chunk_rows = plane.chunk_rows;
      info.chunk_cols = plane.chunk_cols;
      info.storage = "memory, float32";
      info.integers = plane.integers;
      info.decoded_bytes = plane.depth * rows * cols * std::int64_t{sizeof(float)};
      info.needed_bytes = info.decoded_bytes;
      info_.planes.push_back(std::move(info));
      total_depth_ += plane.depth;
    }
  }

  const SourceInfo& describe() const override { return info_; }
  std::int64_t raw_bytes(const TileRect& rect) const override { return total_depth_ * layer_bytes(rect); }
  std::int64_t scratch_bytes() const override { return 0; }

  std::int64_t fetch(const TileRect& rect, std::span<std::byte> raw, std::span<const View<float, 2>>) const override {
    require(rect, raw.size());
    std::byte* to = raw.data();
    const auto row_bytes = static_cast<std::size_t>(rect.cols) * sizeof(float);
    for (const MemoryPlane& plane : planes_) {
      for (std::int64_t row = 0; row < plane.depth * rect.rows; ++row, to += row_bytes) {
        const std::int64_t image_row = row / rect.rows * info_.rows + rect.row + row % rect.rows;
        std::memcpy(to, plane.values.data() + image_row * info_.cols + rect.col, row_bytes);
      }
    }
    return raw_bytes(rect);
  }

  DecodeVolume decode(const TileRect& rect, std::span<const std::byte> raw, std::span<const View<float, 2>> planes,
                      std::span<std::byte>, const ParallelFor& parallel) const override {
    require(rect, raw.size());
    OUTCROP_EXPECT(planes.size() == planes_.size(), "a tile needs memory for every plane of its source");
    std::int64_t first_layer = 0;
    for (std::size_t p = 0; p < planes.size(); ++p) {
      const View<float, 2>& out = planes[p];
      parallel.run(planes_[p].depth, [&](std::int64_t layer, int) {
        std::memcpy(out.data_handle() + layer * out.stride(0), raw.data() + (first_layer + layer) * layer_bytes(rect),
                    static_cast<std::size_t>(layer_bytes(rect)));
      });
      first_layer += planes_[p].depth;
    }
    return {0, raw_bytes(rect)};
  }

 private:
  static std::int64_t layer_bytes(const TileRect& rect) { return rect.pixels() * std::int64_t{sizeof(float)}; }

  void require(const TileRect& rect, std::size_t raw_size) const {
    OUTCROP_EXPECT(rect.row >= 0 && rect.col >= 0 && rect.rows > 0 && rect.cols > 0 &&
                       rect.rows <= info_.rows - rect.row && rect.cols <= info_.cols - rect.col,
                   "a tile reaches out of the image");
    OUTCROP_EXPECT(raw_bytes(rect) <= static_cast<std::int64_t>(raw_size), "the raw area of a tile is too small");
  }

  std::vector<MemoryPlane> planes_;
  SourceInfo info_;
  std::int64_t total_depth_ = 0;
};

}  // namespace

std::unique_ptr<TileSource> make_memory_source(std::int64_t rows, std::int64_t cols, std::vector<MemoryPlane> planes) {
  return std::make_unique<MemorySource>(rows, cols, std::move(planes));
}

}  // namespace outcrop::io
