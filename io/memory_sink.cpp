// Copies tiles into whole planes.
#include "io/memory_sink.hpp"

#include <cstring>

#include "core/check.hpp"

namespace outcrop::io {

MemorySink::MemorySink(std::int64_t rows, std::int64_t cols, std::vector<SinkPlane> planes)
    : rows_(rows), cols_(cols), planes_(std::move(planes)) {
  OUTCROP_EXPECT(rows > 0 && cols > 0, "a memory sink needs positive sizes");
}

void MemorySink::begin() {
  OUTCROP_EXPECT(!begun_, "a sink is begun once");
  begun_ = true;
  for (const auto& plane : planes_) {
    const auto bytes = static_cast<std::size_t>(plane.depth * rows_ * cols_ * size_bytes(plane.dtype));
    data_.emplace_back(bytes, std::byte{0xff});  // a NaN in every float
  }
}

std::int64_t MemorySink::write(const PlaneBlock& block) {
  OUTCROP_EXPECT(begun_ && !committed_ && !abandoned_, "a tile is written between begin and commit");
  const auto& rect = block.rect;
  OUTCROP_EXPECT(block.plane >= 0 && static_cast<std::size_t>(block.plane) < planes_.size(), "no such plane");
  OUTCROP_EXPECT(rect.row >= 0 && rect.col >= 0 && rect.row + rect.rows <= rows_ && rect.col + rect.cols <= cols_,
                 "a tile lies outside its plane");
  const auto& plane = planes_[static_cast<std::size_t>(block.plane)];
  auto& data = data_[static_cast<std::size_t>(block.plane)];
  const auto row_bytes = rect.cols * size_bytes(plane.dtype);
  for (std::int64_t layer = 0; layer < plane.depth; ++layer) {
    for (std::int64_t row = 0; row < rect.rows; ++row) {
      const auto pixel = (layer * rows_ + rect.row + row) * cols_ + rect.col;
      std::memcpy(data.data() + pixel * size_bytes(plane.dtype),
                  block.data + layer * block.layer_stride_bytes + row * block.row_stride_bytes,
                  static_cast<std::size_t>(row_bytes));
    }
  }
  return plane.depth * rect.rows * row_bytes;
}

void MemorySink::commit(const std::vector<LateAttribute>& attributes) {
  OUTCROP_EXPECT(begun_ && !committed_ && !abandoned_, "a sink is committed once, after its begin");
  attributes_ = attributes;
  committed_ = true;
}

void MemorySink::abandon() noexcept { abandoned_ = !committed_; }

std::size_t MemorySink::index_of(const std::string& plane, DType dtype) const {
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    if (planes_[i].name == plane && planes_[i].dtype == dtype) return i;
  }
  fail(Errc::internal, "the memory sink has no plane " + plane + " of that type");
}

std::vector<float> MemorySink::floats(const std::string& plane) const {
  const auto& data = data_.at(index_of(plane, DType::f32));
  std::vector<float> values(data.size() / sizeof(float));
  std::memcpy(values.data(), data.data(), data.size());
  return values;
}

std::vector<std::uint8_t> MemorySink::bytes(const std::string& plane) const {
  const auto& data = data_.at(index_of(plane, DType::u8));
  std::vector<std::uint8_t> values(data.size());
  std::memcpy(values.data(), data.data(), data.size());
  return values;
}

}  // namespace outcrop::io
