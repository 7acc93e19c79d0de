#include "core/slot.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/check.hpp"

namespace outcrop {
namespace {

std::int64_t round_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

constexpr std::int64_t cache_line_bytes = 64;
constexpr std::int64_t small_page_bytes = 4096;
constexpr std::int64_t huge_page_bytes = std::int64_t{2} * 1024 * 1024;

}  // namespace

SlotLayout::SlotLayout(std::int64_t pixels, std::int64_t raw_bytes)
    : capacity_(round_up(pixels, pixel_padding) + row_skew), raw_bytes_(round_up(raw_bytes, cache_line_bytes)) {}

int SlotLayout::add(std::string name, std::int64_t depth, DType dtype) {
  planes_.push_back({std::move(name), depth, dtype, planes_bytes_});
  planes_bytes_ += round_up(depth * capacity_ * size_bytes(dtype), cache_line_bytes);
  return static_cast<int>(planes_.size()) - 1;
}

int SlotLayout::index(std::string_view name) const {
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    if (planes_[i].name == name) return static_cast<int>(i);
  }
  fail(Errc::internal, fmt::format("a slot has no plane '{}'", name));
}

SlotLayout SlotLayout::renamed(const std::vector<std::string>& names) const {
  OUTCROP_EXPECT(names.size() == planes_.size(), "a layout is renamed plane by plane");
  SlotLayout layout = *this;
  for (std::size_t i = 0; i < names.size(); ++i) layout.planes_[i].name = names[i];
  return layout;
}

SlotMemory allocate_host(std::int64_t bytes) {
  // A tile's layers are far apart: in small pages every row of every layer would need a page of its own.
  const std::int64_t page_bytes = bytes < huge_page_bytes ? small_page_bytes : huge_page_bytes;
  const auto whole = static_cast<std::size_t>(round_up(std::max<std::int64_t>(bytes, 1), page_bytes));
  void* memory = std::aligned_alloc(static_cast<std::size_t>(page_bytes), whole);
  if (memory == nullptr) {
    fail(Errc::out_of_memory, fmt::format("the system refused {} bytes of memory for a slot; a smaller --memory makes "
                                          "smaller slots",
                                          bytes));
  }
  if (page_bytes == huge_page_bytes) madvise(memory, whole, MADV_HUGEPAGE);  // a wish: it may be refused
  return {static_cast<std::byte*>(memory), [](std::byte* p) { std::free(p); }};
}

}  // namespace outcrop
