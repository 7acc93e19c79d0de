// Tests of core/slot: planes do not overlap, begin on cache lines, and are found by name.
#include "core/slot.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <utility>

using outcrop::DType;
using outcrop::Slot;
using outcrop::SlotLayout;

TEST_CASE("planes lie one after the other, each on a cache line") {
  SlotLayout layout(100, 1000);
  CHECK(layout.pixel_capacity() == 144);
  CHECK(layout.add("phase", 3, DType::f32) == 0);
  CHECK(layout.add("status", 1, DType::u8) == 1);
  CHECK(layout.add("count", 1, DType::f32) == 2);
  const auto& planes = layout.planes();
  CHECK(planes[0].offset_bytes == 0);
  CHECK(planes[1].offset_bytes == 3 * 144 * 4);
  CHECK(planes[2].offset_bytes == 3 * 144 * 4 + 192);
  CHECK(layout.raw_offset() == planes[2].offset_bytes + 144 * 4);
  CHECK(layout.raw_bytes() == 1024);
  CHECK(layout.total_bytes() == layout.raw_offset() + 1024);
  for (const auto& plane : planes) CHECK(plane.offset_bytes % 64 == 0);
}

TEST_CASE("a pixel's samples fall into different sets of a cache") {
  for (const std::int64_t pixels : {64, 1024, 16 * 320, 1 << 20}) {
    const std::int64_t apart = SlotLayout(pixels, 0).pixel_capacity() * 4;
    CHECK(apart % 64 == 0);
    CHECK(apart / 64 % 2 == 1);
  }
}

TEST_CASE("a plane is found by its name") {
  SlotLayout layout(64, 0);
  layout.add("phase", 3, DType::f32);
  layout.add("coherence", 3, DType::f32);
  CHECK(layout.index("coherence") == 1);
  CHECK_THROWS_WITH_AS(layout.index("height"), "a slot has no plane 'height'", outcrop::Error);
}

TEST_CASE("planes keep their places under other names") {
  SlotLayout layout(64, 10);
  layout.add("series", 3, DType::f32);
  layout.add("quality", 1, DType::f32);
  const SlotLayout renamed = layout.renamed({"", "mask"});
  CHECK(renamed.index("mask") == 1);
  CHECK(renamed.planes()[1].offset_bytes == layout.planes()[1].offset_bytes);
  CHECK(renamed.total_bytes() == layout.total_bytes());
  CHECK_THROWS_AS(renamed.index("series"), outcrop::Error);
  CHECK_THROWS_AS(layout.renamed({"one"}), outcrop::Error);
}

TEST_CASE("a slot's planes are as wide as the tile and their rows a capacity apart") {
  auto layout = std::make_shared<SlotLayout>(100, 256);
  layout->add("phase", 2, DType::f32);
  layout->add("status", 1, DType::u8);
  Slot slot(layout, outcrop::allocate_host(layout->total_bytes()));
  slot.rect = {0, 0, 7, 10};
  const auto phase = slot.plane<float>(0);
  CHECK(phase.extent(0) == 2);
  CHECK(phase.extent(1) == 70);
  CHECK(phase.stride(0) == 144);
  phase(1, 69) = 2.5F;
  slot.plane<std::uint8_t>(1)(0, 69) = 4;
  CHECK(slot.plane<float>(0)(1, 69) == 2.5F);
  CHECK(slot.raw().size() == 256);
  CHECK(reinterpret_cast<std::uintptr_t>(phase.data_handle()) % 64 == 0);
}

TEST_CASE("views stay valid when the slot moves") {
  auto layout = std::make_shared<SlotLayout>(64, 0);
  layout->add("phase", 1, DType::f32);
  Slot slot(layout, outcrop::allocate_host(layout->total_bytes()));
  slot.rect = {0, 0, 1, 1};
  const auto phase = slot.plane<float>(0);
  const Slot moved = std::move(slot);
  CHECK(moved.plane<float>(0).data_handle() == phase.data_handle());
}

TEST_CASE("memory that the system does not have is an error that names the bytes") {
  try {
    const auto memory = outcrop::allocate_host(std::int64_t{1} << 60);
    MESSAGE("this system promised an exbibyte: " << static_cast<const void*>(memory.get()));
  } catch (const outcrop::Error& error) {
    CHECK(error.code() == outcrop::Errc::out_of_memory);
    CHECK(std::string(error.what()).find("1152921504606846976 bytes") != std::string::npos);
  }
}
