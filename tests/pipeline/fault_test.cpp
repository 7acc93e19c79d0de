// A fault at each stage, at the first, a middle and the last tile, with both runners: the right error, no slot alive,
// the sink abandoned, nothing committed, and no hang (ctest's timeout).
#include <doctest/doctest.h>

#include <string>

#include "tests/support/toy_run.hpp"

using namespace outcrop;
using pipeline::Runner;
using test::Fault;

namespace {

const pipeline::StopSignal no_signal{0};

struct Expected {
  Fault fault;
  Errc code;
  std::string stage;
  std::string sentence;
};

const Expected faults[] = {
    {Fault::fetch, Errc::io, "stage read", "the toy disk failed"},
    {Fault::decode, Errc::corrupt, "stage decode", "the toy chunk is corrupt"},
    {Fault::solve_reports, Errc::device, "stage solve", "the toy device failed"},
    {Fault::write, Errc::io, "stage write", "the toy disk is full"},
};

void check_fault(const Expected& expected, Runner runner, std::int64_t tile, std::int64_t tile_cols,
                 bool asynchronous) {
  CAPTURE(expected.sentence);
  CAPTURE(tile);
  test::ToyScene scene(20, 24, 5, tile_cols);
  const pipeline::Plan plan = scene.plan(runner, 2);
  test::FaultySource source(*scene.source, plan.grid);
  test::FaultySink sink(scene.sink, plan.grid);
  const std::int64_t at = tile < 0 ? plan.grid.count() - 1 : tile;
  source.fault = sink.fault = scene.backend.fault = expected.fault;
  source.fault_tile = sink.fault_tile = scene.backend.fault_tile = at;
  scene.backend.asynchronous = asynchronous;
  pipeline::Workers workers(2, runner);
  const auto result = pipeline::run({plan, scene.step, source, sink, scene.backend, workers, no_signal});
  REQUIRE(result.error.has_value());
  const std::string text = result.error->what();
  CHECK(result.error->code() == expected.code);
  CHECK(text.find(expected.sentence) != std::string::npos);
  CHECK(text.find(expected.stage) != std::string::npos);
  CHECK(result.slots_alive == 0);
  // A banded tile has ended before its band is written.
  if (expected.fault != Fault::write) CHECK(result.tiles_done < plan.grid.count());
  CHECK(scene.sink.abandoned());
  CHECK_FALSE(scene.sink.committed());
}

}  // namespace

TEST_CASE("a throwing stage ends the run with its own error, at every position and with both runners") {
  for (const auto& expected : faults) {
    for (const auto runner : {Runner::serial, Runner::graph}) {
      for (const std::int64_t tile : {std::int64_t{0}, std::int64_t{2}, std::int64_t{-1}}) {
        for (const std::int64_t tile_cols : {std::int64_t{24}, std::int64_t{5}}) {
          check_fault(expected, runner, tile, tile_cols, false);
          if (runner == Runner::graph) check_fault(expected, runner, tile, tile_cols, true);
        }
      }
    }
  }
}

TEST_CASE("a full disk at the start ends the run before the first tile") {
  for (const auto runner : {Runner::serial, Runner::graph}) {
    test::ToyScene scene(20, 24, 5, 5);
    const pipeline::Plan plan = scene.plan(runner, 2);
    test::FaultySink sink(scene.sink, plan.grid);
    sink.fault = Fault::begin;
    pipeline::Workers workers(2, runner);
    const auto result = pipeline::run({plan, scene.step, *scene.source, sink, scene.backend, workers, no_signal});
    REQUIRE(result.error.has_value());
    CHECK(std::string(result.error->what()).find("the toy disk is full") != std::string::npos);
    CHECK(result.tiles_done == 0);
  }
}

TEST_CASE("a value outside what a plane may hold ends the run, naming dataset, pixel and value") {
  test::ToyScene scene(20, 24, 5, 5);
  scene.step.inputs[0].check = model::ValueCheck{0, 2000000, false, false, "look at the file"};
  const pipeline::Plan plan = scene.plan(Runner::graph, 2);
  pipeline::Workers workers(2, Runner::graph);
  const auto result = pipeline::run({plan, scene.step, *scene.source, scene.sink, scene.backend, workers, no_signal});
  REQUIRE(result.error.has_value());
  CHECK(result.error->code() == Errc::input);
  const std::string text = result.error->what();
  CHECK(text.find("row") != std::string::npos);
  CHECK(text.find("look at the file") != std::string::npos);
}
