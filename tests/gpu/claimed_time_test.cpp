// Whose span the time of a part of a device is, when several slots wait for it.
#include "gpu/claimed_time.hpp"

#include <doctest/doctest.h>

using outcrop::gpu::ClaimedTime;
using Pieces = std::vector<std::pair<double, double>>;

TEST_CASE("time that several slots wait for a part of a device is claimed once") {
  ClaimedTime time;
  CHECK(time.claim(1, 3) == Pieces{{1, 3}});
  CHECK(time.claim(2, 4) == Pieces{{3, 4}});
  CHECK(time.claim(6, 7) == Pieces{{6, 7}});
  CHECK(time.claim(0, 8) == Pieces{{0, 1}, {4, 6}, {7, 8}});
  CHECK(time.claim(2, 3) == Pieces{{3, 3}});
  CHECK(time.claim(8, 9) == Pieces{{8, 9}});
}

TEST_CASE("a splinter beside a long piece is no span; splinters that add up are") {
  ClaimedTime time;
  CHECK(time.claim(20, 30) == Pieces{{20, 30}});
  CHECK(time.claim(19.9, 40) == Pieces{{30, 40}});
  ClaimedTime crowded;
  for (int i = 0; i < 10; ++i) crowded.claim(100 + i + 0.1, 101 + i);
  CHECK(crowded.claim(100, 120).size() == 11);
}
