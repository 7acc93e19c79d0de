// The source over vectors gives exactly the pixels of a tile.
#include "io/memory_source.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "tests/support/read_source.hpp"
#include "tests/support/thread_for.hpp"

using namespace outcrop;

TEST_CASE("tiles of planes in memory are cut out layer by layer") {
  std::vector<float> stack(2 * 3 * 4);
  std::iota(stack.begin(), stack.end(), 0.0F);
  const auto source =
      io::make_memory_source(3, 4, {{"stack", 2, stack, 2, 2}, {"map", 1, std::vector<float>(12, 7.0F)}});
  CHECK(source->describe().planes[0].chunk_cols == 2);
  const auto got = test::read_tile(*source, {1, 2, 2, 2}, test::ThreadFor(2));
  CHECK(got[0] == std::vector<float>{6, 7, 10, 11, 18, 19, 22, 23});
  CHECK(got[1] == std::vector<float>(4, 7.0F));
  CHECK_THROWS_AS(io::make_memory_source(3, 4, {{"map", 1, std::vector<float>(11)}}), Error);
}
