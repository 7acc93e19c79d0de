// The sink into memory keeps tiles apart from what was never written.
#include "io/memory_sink.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using outcrop::DType;
using outcrop::io::MemorySink;

TEST_CASE("tiles land in their plane, the rest stays marked") {
  MemorySink sink(2, 3, {{"a", 2, DType::f32}, {"b", 1, DType::u8}});
  sink.begin();
  const std::vector<float> tile = {1, 2, 3, 4};  // two layers of one row and two columns
  CHECK(sink.write({0, {1, 1, 1, 2}, reinterpret_cast<const std::byte*>(tile.data()), 8, 8}) == 16);
  const std::uint8_t byte = 7;
  CHECK(sink.write({1, {0, 0, 1, 1}, reinterpret_cast<const std::byte*>(&byte), 1, 1}) == 1);
  sink.commit({{"key", "value"}});
  const auto a = sink.floats("a");
  REQUIRE(a.size() == 12);
  CHECK(a[4] == 1);
  CHECK(a[5] == 2);
  CHECK(a[10] == 3);
  CHECK(a[11] == 4);
  CHECK(std::isnan(a[0]));
  CHECK(sink.bytes("b") == std::vector<std::uint8_t>{7, 255, 255, 255, 255, 255});
  CHECK(sink.committed());
  CHECK(sink.attributes().at(0).value == "value");
  sink.abandon();
  CHECK_FALSE(sink.abandoned());
}
