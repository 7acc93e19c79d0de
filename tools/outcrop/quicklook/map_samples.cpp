// Each cell of a map belongs to one pixel, and each pixel comes by once: nothing is shared but the sums of squares.
#include "tools/outcrop/quicklook/map_samples.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "core/error.hpp"

namespace outcrop::tools {
namespace {

int index_of(const std::vector<io::SinkPlane>& planes, const std::string& name) {
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (planes[i].name == name) return static_cast<int>(i);
  }
  fail(Errc::internal, "the outputs have no plane '" + name + "' to draw a map of");
}

float number_at(const std::byte* at, DType dtype) {
  if (dtype == DType::u8) return static_cast<float>(std::to_integer<int>(*at));
  float value = 0;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

}  // namespace

MapSamples::MapSamples(MapGrid grid, std::vector<KeptLayer> layers, std::string squares_of)
    : grid_(grid), layers_(std::move(layers)), squares_of_(std::move(squares_of)) {}

std::int64_t MapSamples::held_bytes(const std::vector<io::SinkPlane>& planes) const {
  std::int64_t bytes = static_cast<std::int64_t>(layers_.size() * sizeof(float)) * grid_.cells() + grid_.cells() / 8;
  for (const auto& plane : planes) {
    if (plane.name == squares_of_) bytes += plane.depth * static_cast<std::int64_t>(sizeof(SquareSum));
  }
  return bytes;
}

void MapSamples::begin(const std::vector<io::SinkPlane>& planes) {
  for (const auto& kept : layers_) {
    const int plane = index_of(planes, kept.plane);
    const auto& stored = planes[static_cast<std::size_t>(plane)];
    OUTCROP_EXPECT(kept.layer >= 0 && kept.layer < stored.depth, "a map is of a layer that the plane has");
    plane_of_.push_back(plane);
    dtype_of_.push_back(stored.dtype);
    values_.emplace_back(static_cast<std::size_t>(grid_.cells()), std::numeric_limits<float>::quiet_NaN());
  }
  if (squares_of_.empty()) return;
  squares_plane_ = index_of(planes, squares_of_);
  const auto& plane = planes[static_cast<std::size_t>(squares_plane_)];
  OUTCROP_EXPECT(plane.dtype == DType::f32, "squares are of floats");
  squares_.resize(static_cast<std::size_t>(plane.depth));
}

void MapSamples::note(const io::PlaneBlock& block) {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (plane_of_[i] == block.plane) keep(block, i);
  }
  if (squares_plane_ == block.plane) add_squares(block);
}

const std::byte* MapSamples::place(const io::PlaneBlock& block, std::int64_t row, std::int64_t col, DType dtype) const {
  return block.data + (grid_.image_row(row) - block.rect.row) * block.row_stride_bytes +
         (grid_.image_col(col) - block.rect.col) * size_bytes(dtype);
}

void MapSamples::keep(const io::PlaneBlock& block, std::size_t index) {
  const auto rows = grid_.rows_within(block.rect.row, block.rect.rows);
  const auto cols = grid_.cols_within(block.rect.col, block.rect.cols);
  const DType dtype = dtype_of_[index];
  const std::int64_t offset = layers_[index].layer * block.layer_stride_bytes;
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    for (std::int64_t col = cols.begin; col < cols.end; ++col) {
      values_[index][static_cast<std::size_t>(row * grid_.cols() + col)] =
          number_at(place(block, row, col, dtype) + offset, dtype);
    }
  }
}

bool MapSamples::counts(std::size_t cell) const {
  if (counted_from_) return values_[counted_from_->first][cell] >= counted_from_->second;
  return counted_.empty() || counted_[cell];
}

/// Pixels of a row of the map that count and have a value: where their first layer is.
std::vector<const std::byte*> MapSamples::counted_in(const io::PlaneBlock& block, std::int64_t row,
                                                     MapGrid::Range cols) const {
  std::vector<const std::byte*> places;
  for (std::int64_t col = cols.begin; col < cols.end; ++col) {
    if (!counts(static_cast<std::size_t>(row * grid_.cols() + col))) continue;
    const std::byte* first = place(block, row, col, DType::f32);
    for (std::size_t layer = 0; layer < squares_.size(); ++layer) {
      const float value = number_at(first + static_cast<std::int64_t>(layer) * block.layer_stride_bytes, DType::f32);
      if (value == 0 || std::isnan(value)) continue;
      places.push_back(first);
      break;
    }
  }
  return places;
}

void MapSamples::add_squares(const io::PlaneBlock& block) {
  const auto rows = grid_.rows_within(block.rect.row, block.rect.rows);
  const auto cols = grid_.cols_within(block.rect.col, block.rect.cols);
  std::vector<SquareSum> sums(squares_.size());
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    const auto places = counted_in(block, row, cols);
    for (std::size_t layer = 0; layer < sums.size(); ++layer) {
      for (const std::byte* first : places) {
        const float value = number_at(first + static_cast<std::int64_t>(layer) * block.layer_stride_bytes, DType::f32);
        if (!std::isnan(value)) sums[layer].add(value);
      }
    }
  }
  const std::lock_guard lock(mutex_);
  for (std::size_t layer = 0; layer < sums.size(); ++layer) squares_[layer].add(sums[layer]);
}

}  // namespace outcrop::tools
