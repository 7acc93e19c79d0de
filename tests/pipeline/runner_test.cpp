// The two runners: every tile arrives once, whatever the number of slots, threads and tiles.
#include "pipeline/runner.hpp"

#include <doctest/doctest.h>

#include "tests/support/toy_run.hpp"

using namespace outcrop;
using pipeline::Runner;

namespace {

const pipeline::StopSignal no_signal{0};

void check_products(const test::ToyScene& scene) {
  const auto copy = scene.sink.floats("copy");
  const auto sum = scene.sink.floats("sum");
  bool right = true;
  for (std::int64_t r = 0; r < scene.rows; ++r) {
    for (std::int64_t c = 0; c < scene.cols; ++c) {
      float expected = 0;
      for (std::int64_t k = 0; k < test::toy_layers; ++k) {
        const float value = test::toy_value(k, r, c);
        right &= copy[static_cast<std::size_t>((k * scene.rows + r) * scene.cols + c)] == value;
        expected += value;
      }
      right &= sum[static_cast<std::size_t>(r * scene.cols + c)] == expected;
    }
  }
  CHECK(right);
}

void run_and_check(test::ToyScene& scene, Runner runner, int threads) {
  const pipeline::Plan plan = scene.plan(runner, threads);
  pipeline::Workers workers(threads, runner);
  const auto result = pipeline::run({plan, scene.step, *scene.source, scene.sink, scene.backend, workers, no_signal});
  REQUIRE_FALSE(result.error.has_value());
  CHECK(result.slots_alive == 0);
  CHECK(result.tiles_done == plan.grid.count());
  CHECK(result.tally[PixelStatus::ok] == scene.rows * scene.cols);
  CHECK(result.bytes_written == scene.rows * scene.cols * 4 * (test::toy_layers + 1));
  CHECK(scene.sink.begun());
  CHECK_FALSE(scene.sink.committed());
  check_products(scene);
}

}  // namespace

TEST_CASE("every tile of a banded scene arrives once, with both runners and any number of threads") {
  for (const auto runner : {Runner::serial, Runner::graph}) {
    for (const int threads : {1, 2, 4}) {
      for (const bool asynchronous : {false, true}) {
        CAPTURE(threads);
        CAPTURE(asynchronous);
        test::ToyScene scene(37, 53, 5, 7);
        scene.backend.asynchronous = asynchronous && runner == Runner::graph;
        run_and_check(scene, runner, threads);
      }
    }
  }
}

TEST_CASE("tiles as wide as the image are written without a band") {
  test::ToyScene scene(41, 19, 4, 19);
  CHECK(scene.plan(Runner::graph, 2).bands.tiles_across == 0);
  run_and_check(scene, Runner::graph, 2);
}

TEST_CASE("one slot is enough") {
  test::ToyScene scene(20, 30, 6, 7);
  scene.config.slots = 1;
  run_and_check(scene, Runner::graph, 2);
}

TEST_CASE("more slots than tiles, and images of one row, one column and one pixel, are fine") {
  const std::int64_t shapes[][2] = {{1, 23}, {23, 1}, {1, 1}, {11, 7}};
  for (const auto& shape : shapes) {
    test::ToyScene scene(shape[0], shape[1], 10, 5);
    scene.config.slots = 50;
    run_and_check(scene, Runner::graph, 2);
  }
}

TEST_CASE("thousands of small tiles through few slots and slow completions keep their numbers") {
  test::ToyScene scene(100, 100, 2, 2);
  scene.config.slots = 5;
  scene.backend.asynchronous = true;
  run_and_check(scene, Runner::graph, 2);
}

TEST_CASE("a signal stops the run: slots come home, the sink is abandoned, nothing is committed") {
  for (const auto runner : {Runner::serial, Runner::graph}) {
    test::ToyScene scene(40, 40, 4, 4);
    const pipeline::Plan plan = scene.plan(runner, 2);
    pipeline::Workers workers(2, runner);
    const pipeline::StopSignal interrupt{2};
    const auto result = pipeline::run({plan, scene.step, *scene.source, scene.sink, scene.backend, workers, interrupt});
    REQUIRE(result.error.has_value());
    CHECK(result.error->code() == Errc::cancelled);
    CHECK(result.slots_alive == 0);
    CHECK(scene.sink.abandoned());
    CHECK_FALSE(scene.sink.committed());
  }
}

TEST_CASE("the trace has every stage of every tile when asked for, and totals always") {
  test::ToyScene scene(12, 12, 4, 4);
  const pipeline::Plan plan = scene.plan(Runner::graph, 2);
  pipeline::Workers workers(2, Runner::graph);
  const auto result = pipeline::run({plan, scene.step, *scene.source, scene.sink, scene.backend, workers, no_signal,
                                     pipeline::ProgressStyle::none, true});
  const auto count = [&](const std::string& stage) {
    return std::count_if(result.spans.begin(), result.spans.end(), [&](const Span& s) { return s.stage == stage; });
  };
  CHECK(count("read") == 9);
  CHECK(count("decode") == 9);
  CHECK(count("solve") == 9);
  CHECK(count("gather") == 9);
  CHECK(count("write") == 3);
  CHECK(result.stages.size() == 5);
}
