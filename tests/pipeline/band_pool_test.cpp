// Bands: gathered whole, parked tickets come back in order, poison is remembered.
#include "pipeline/band_pool.hpp"

#include <doctest/doctest.h>

#include "tests/support/toy_run.hpp"

using namespace outcrop;

namespace {

/// 3 x 6 tiles of 4 x 5 pixels; two buffers.
struct Bench {
  test::ToyScene scene{12, 30, 4, 5};
  pipeline::Plan plan = scene.plan(pipeline::Runner::graph, 2);
  pipeline::BandPool pool{plan, scene.sink};
};

}  // namespace

TEST_CASE("a band is full when its last tile has arrived, in any order") {
  Bench b;
  REQUIRE(b.plan.bands.tiles_across == 6);
  for (const std::int64_t tile : {3, 0, 5, 1, 4}) {
    REQUIRE(b.pool.reserve({tile, 0, false}).has_value());
    CHECK_FALSE(b.pool.arrived({tile, 0, false}).has_value());
  }
  REQUIRE(b.pool.reserve({2, 0, false}).has_value());
  const auto full = b.pool.arrived({2, 0, false});
  REQUIRE(full.has_value());
  CHECK(full->rect == TileRect{0, 0, 4, 30});
  CHECK_FALSE(full->poisoned);
  CHECK(b.pool.blocks(*full).size() == 2);
}

TEST_CASE("a tile whose band has no buffer is parked until one is released, the oldest band first") {
  Bench b;
  REQUIRE(b.pool.reserve({0, 0, false}).has_value());
  REQUIRE(b.pool.reserve({6, 1, false}).has_value());
  CHECK_FALSE(b.pool.reserve({13, 2, false}).has_value());
  CHECK_FALSE(b.pool.reserve({12, 3, false}).has_value());
  std::optional<pipeline::FullBand> full;
  for (std::int64_t tile = 0; tile < 6; ++tile) {
    REQUIRE(b.pool.reserve({tile, 0, false}).has_value());
    full = b.pool.arrived({tile, 0, tile == 4});
  }
  REQUIRE(full.has_value());
  CHECK(full->poisoned);
  const auto ready = b.pool.release(*full);
  REQUIRE(ready.size() == 2);
  CHECK(ready[0].tile == 12);
  CHECK(ready[1].tile == 13);
}

TEST_CASE("bands become narrower than the image when memory is short, and disappear when it is shorter still") {
  test::ToyScene scene(40, 4000, 8, 40);
  scene.config.slots = 1;
  const auto plan_with = [&](std::int64_t cap) {
    return pipeline::make_plan({scene.config, scene.step, *scene.source, scene.sink, scene.backend,
                                pipeline::reference_machine(), cap, "the test", 1});
  };
  const std::int64_t fixed = plan_with(1LL << 30).memory[0].second;
  CHECK(plan_with(1LL << 30).bands.tiles_across == 100);
  const auto narrow = plan_with(fixed + 1000000);
  CHECK(narrow.bands.tiles_across > 1);
  CHECK(narrow.bands.tiles_across < 100);
  CHECK(narrow.bands.per_row * narrow.bands.tiles_across >= 100);
  CHECK(plan_with(fixed + 30000).bands.tiles_across == 0);
}

TEST_CASE("bands take what tiles leave, and are as wide as the image where that is enough") {
  test::ToyScene scene(64, 40000, 64, 40);
  const auto plan_with = [&](std::int64_t cap) {
    return pipeline::make_plan({scene.config, scene.step, *scene.source, scene.sink, scene.backend,
                                pipeline::reference_machine(), cap, "the test", 2});
  };
  const auto ample = plan_with(1LL << 30);
  REQUIRE_FALSE(ample.bands.cut_rows());
  const std::int64_t bands = ample.bands.buffers * ample.bands.bytes;
  const std::int64_t fixed = ample.memory[0].second;
  const auto tight = plan_with(fixed + bands + bands / 4);
  CHECK_FALSE(tight.bands.cut_rows());
  CHECK(plan_with(fixed + bands / 2).bands.cut_rows());
}
