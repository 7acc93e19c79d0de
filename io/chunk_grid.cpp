// Numbers the chunks of a dataset; all products are checked, since the sizes come from files.
#include "io/chunk_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "core/error.hpp"

namespace outcrop::io {
namespace {

std::int64_t product(const std::vector<std::int64_t>& sizes, std::int64_t start) {
  std::int64_t result = start;
  for (const std::int64_t size : sizes) {
    if (__builtin_mul_overflow(result, size, &result)) {
      fail(Errc::input,
           fmt::format("an array of {} elements is too large to count its bytes", fmt::join(sizes, " x ")));
    }
  }
  return result;
}

}  // namespace

ChunkGrid::ChunkGrid(std::vector<std::int64_t> shape, std::vector<std::int64_t> chunk)
    : shape_(std::move(shape)), chunk_(std::move(chunk)) {
  if (shape_.size() != chunk_.size()) {
    fail(Errc::input, fmt::format("chunks of {} dimensions cannot cut an array of {}", chunk_.size(), shape_.size()));
  }
  for (std::size_t d = 0; d < shape_.size(); ++d) {
    if (shape_[d] <= 0 || chunk_[d] <= 0) {
      fail(Errc::input, fmt::format("an array of {} elements in chunks of {} has nothing to read",
                                    fmt::join(shape_, " x "), fmt::join(chunk_, " x ")));
    }
    count_.push_back((shape_[d] - 1) / chunk_[d] + 1);
  }
  constexpr std::int64_t largest_element_bytes = 16;
  num_chunks_ = product(count_, 1);
  chunk_elements_ = product(chunk_, largest_element_bytes) / largest_element_bytes;
  product(shape_, largest_element_bytes);
}

std::int64_t ChunkGrid::number(const std::vector<std::int64_t>& index) const {
  std::int64_t result = 0;
  for (std::size_t d = 0; d < rank(); ++d) result = result * count_[d] + index[d];
  return result;
}

std::vector<std::int64_t> ChunkGrid::index(std::int64_t number) const {
  std::vector<std::int64_t> result(rank());
  for (std::size_t d = rank(); d-- > 0;) {
    result[d] = number % count_[d];
    number /= count_[d];
  }
  return result;
}

std::string ChunkGrid::place(std::int64_t number) const {
  return fmt::format("chunk ({})", fmt::join(index(number), ", "));
}

}  // namespace outcrop::io
