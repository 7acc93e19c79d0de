// The plan: pure, within the cap, and plain about what does not fit.
#include "pipeline/plan.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_text.hpp"
#include "tests/support/toy_run.hpp"

using namespace outcrop;

namespace {

struct Bench {
  Bench(std::int64_t rows, std::int64_t cols, std::int64_t chunk_rows, std::int64_t chunk_cols)
      : scene(rows, cols, chunk_rows, chunk_cols) {
    scene.config.tile_rows = scene.config.tile_cols = 0;
  }
  pipeline::Plan plan(std::int64_t cap, int threads = 2) {
    return pipeline::make_plan(
        {scene.config, scene.step, *scene.source, scene.sink, scene.backend, machine, cap, "the test", threads});
  }
  pipeline::Machine machine = pipeline::reference_machine();
  test::ToyScene scene;
};

}  // namespace

TEST_CASE("tiles are whole chunk columns and the plan stays under its cap") {
  Bench b(300, 500, 16, 24);
  for (const std::int64_t mib : {58, 60, 64, 100, 1000}) {
    const auto plan = b.plan(mib << 20);
    CHECK(plan.planned_bytes() <= (mib << 20));
    const bool whole_rows = plan.grid.tile_rows() % 16 == 0 || plan.grid.tile_rows() == 300;
    const bool whole_cols = plan.grid.tile_cols() % 24 == 0 || plan.grid.tile_cols() == 500;
    CHECK(whole_rows);
    CHECK(whole_cols);
  }
}

TEST_CASE("the same inputs give the same plan") {
  Bench b(300, 500, 16, 24);
  CHECK(to_json(b.plan(1 << 28)) == to_json(b.plan(1 << 28)));
  CHECK(explain(b.plan(1 << 28)) == explain(b.plan(1 << 28)));
}

TEST_CASE("a cap that is too small is refused with the smallest that works, and that one works") {
  Bench b(300, 500, 16, 24);
  const std::string text = test::error_of([&] { b.plan(5 << 20); });
  CHECK(test::contains(text, "give at least that"));
  const auto at = text.find("needs ") + 6;
  const std::int64_t least = std::stoll(text.substr(at));
  CHECK_NOTHROW(b.plan(least << 20));
}

TEST_CASE("tile and slots from the configuration are used as they are") {
  Bench b(300, 500, 16, 24);
  b.scene.config.tile_rows = 11;
  b.scene.config.tile_cols = 7;
  b.scene.config.slots = 6;
  const auto plan = b.plan(1 << 30);
  CHECK(plan.grid.tile_rows() == 11);
  CHECK(plan.grid.tile_cols() == 7);
  CHECK(plan.slots == 6);
}

TEST_CASE("the plan names its bottleneck and what it will read and write") {
  Bench b(300, 500, 16, 24);
  const auto plan = b.plan(1 << 30);
  CHECK(plan.decoded_bytes == 300 * 500 * 4 * test::toy_layers);
  CHECK(plan.output_bytes == 300 * 500 * 4 * (test::toy_layers + 1));
  CHECK(plan.predicted.wall_s > 0);
  CHECK_FALSE(plan.predicted.bottleneck.empty());
  const std::string text = explain(plan);
  for (const char* word : {"pixels", "tiles", "memory", "predicted", "output", "bounded by"}) {
    CHECK(test::contains(text, word));
  }
}

TEST_CASE("a storage that lets each request wait becomes the bottleneck, and more readers help") {
  Bench b(300, 500, 16, 24);
  const double before_s = b.plan(1 << 30).predicted.wall_s;
  b.machine.read_latency_s = 0.1;
  b.scene.config.readers = 1;
  const auto slow = b.plan(1 << 30);
  CHECK(slow.predicted.bottleneck == "read");
  CHECK_FALSE(slow.predicted.next.empty());
  CHECK(slow.predicted.wall_s > 10 * before_s);
  b.scene.config.readers = 4;
  CHECK(b.plan(1 << 30).predicted.wall_s < 0.3 * slow.predicted.wall_s);
  CHECK(test::contains(explain(slow), "bounded by read, then by"));
}
