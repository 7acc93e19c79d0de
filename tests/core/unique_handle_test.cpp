// Tests of core/unique_handle: every handle is closed exactly once.
#include "core/unique_handle.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

namespace {

std::vector<int>& closed() {
  static std::vector<int> handles;
  return handles;
}

struct NumberTraits {
  using type = int;
  static type none() { return -1; }
  static void close(type handle) noexcept { closed().push_back(handle); }
};
using Handle = outcrop::UniqueHandle<NumberTraits>;

}  // namespace

TEST_CASE("a handle is closed when its owner dies") {
  closed().clear();
  {
    const Handle handle(7);
    CHECK(handle.get() == 7);
    CHECK(static_cast<bool>(handle));
  }
  CHECK(closed() == std::vector<int>{7});
}

TEST_CASE("an empty owner closes nothing") {
  closed().clear();
  {
    const Handle handle;
    CHECK_FALSE(static_cast<bool>(handle));
  }
  CHECK(closed().empty());
}

TEST_CASE("moving hands the handle over and closes it once") {
  closed().clear();
  {
    Handle first(3);
    Handle second(std::move(first));
    CHECK(second.get() == 3);
    Handle third(4);
    third = std::move(second);
    CHECK(closed() == std::vector<int>{4});
    CHECK(third.get() == 3);
  }
  CHECK(closed() == std::vector<int>{4, 3});
}

TEST_CASE("moving a handle onto itself keeps it") {
  closed().clear();
  Handle handle(5);
  Handle& same = handle;
  handle = std::move(same);
  CHECK(handle.get() == 5);
  CHECK(closed().empty());
}

TEST_CASE("release gives the handle away unclosed, reset closes the old one") {
  closed().clear();
  Handle handle(8);
  CHECK(handle.release() == 8);
  CHECK(closed().empty());
  handle.reset(9);
  handle.reset();
  CHECK(closed() == std::vector<int>{9});
}
