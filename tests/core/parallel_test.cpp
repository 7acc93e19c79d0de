// Tests of core/parallel: the contract of ParallelFor, on the serial one.
#include "core/parallel.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

using outcrop::SerialFor;

TEST_CASE("the serial loop runs every index once, in order, as worker 0") {
  const SerialFor serial;
  CHECK(serial.concurrency() == 1);
  std::vector<std::int64_t> seen;
  serial.run(4, [&](std::int64_t index, int worker) {
    CHECK(worker == 0);
    seen.push_back(index);
  });
  CHECK(seen == std::vector<std::int64_t>{0, 1, 2, 3});
}

TEST_CASE("no indices, no calls") {
  SerialFor().run(0, [](std::int64_t, int) { FAIL("called"); });
}

TEST_CASE("what a body throws reaches the caller") {
  CHECK_THROWS_AS(SerialFor().run(3,
                                  [](std::int64_t i, int) {
                                    if (i == 1) throw std::runtime_error("body");
                                  }),
                  std::runtime_error);
}
