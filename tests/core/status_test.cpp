// Tests of core/status: tallies add up.
#include "core/status.hpp"

#include <doctest/doctest.h>

#include <vector>

using outcrop::PixelStatus;
using outcrop::Tally;

TEST_CASE("tallies add up, also when one knows no deviations") {
  Tally total;
  Tally tile;
  tile[PixelStatus::ok] = 3;
  tile[PixelStatus::min_norm] = 2;
  tile.deviations = {0, 7};
  total.add(tile);
  total.add(tile);
  total.add(Tally{});
  CHECK(total[PixelStatus::ok] == 6);
  CHECK(total[PixelStatus::min_norm] == 4);
  CHECK(total[PixelStatus::no_data] == 0);
  CHECK(total.deviations == std::vector<std::int64_t>{0, 14});
}

TEST_CASE("the tallies of later steps of a chain add up apart") {
  Tally tile;
  tile[PixelStatus::ok] = 3;
  tile.then.resize(1);
  tile.then[0][PixelStatus::bad_geometry] = 2;
  tile.then[0].deviations = {1};
  Tally total;
  total.add(tile);
  total.add(tile);
  total.add(Tally{});
  CHECK(total[PixelStatus::ok] == 6);
  CHECK(total[PixelStatus::bad_geometry] == 0);
  REQUIRE(total.then.size() == 1);
  CHECK(total.then[0][PixelStatus::bad_geometry] == 4);
  CHECK(total.then[0].deviations == std::vector<std::int64_t>{2});
}

TEST_CASE("the numbers of the status map never change") {
  CHECK(static_cast<int>(PixelStatus::ok) == 0);
  CHECK(static_cast<int>(PixelStatus::min_norm) == 1);
  CHECK(static_cast<int>(PixelStatus::masked) == 2);
  CHECK(static_cast<int>(PixelStatus::no_data) == 3);
  CHECK(static_cast<int>(PixelStatus::too_few) == 4);
  CHECK(static_cast<int>(PixelStatus::bad_geometry) == 5);
}
