// Tiles that were read before the run: each is read once, whatever became of it before, and the products are the same.
#include "pipeline/head_start.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "core/clock.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/toy_run.hpp"

using namespace outcrop;
using pipeline::HeadStart;
using pipeline::Runner;

namespace {

const pipeline::StopSignal no_signal{0};

/// Another source, which counts how often each tile is fetched, and keeps some from being fetched for a while.
class CountingSource final : public io::TileSource {
 public:
  CountingSource(const io::TileSource& inner, const TileGrid& grid) : inner_(inner), grid_(grid) {}

  const io::SourceInfo& describe() const override { return inner_.describe(); }
  std::int64_t raw_bytes(const TileRect& rect) const override { return inner_.raw_bytes(rect); }
  std::int64_t scratch_bytes() const override { return inner_.scratch_bytes(); }
  std::int64_t fetch(const TileRect& rect, std::span<std::byte> raw,
                     std::span<const View<float, 2>> planes) const override {
    {
      std::unique_lock lock(mutex_);
      ++counts_[rect.row / grid_.tile_rows() * grid_.across() + rect.col / grid_.tile_cols()];
      changed_.notify_all();
      changed_.wait(lock, [this] { return !held_; });
    }
    return inner_.fetch(rect, raw, planes);
  }
  io::DecodeVolume decode(const TileRect& rect, std::span<const std::byte> raw, std::span<const View<float, 2>> planes,
                          std::span<std::byte> scratch, const ParallelFor& parallel) const override {
    return inner_.decode(rect, raw, planes, scratch, parallel);
  }

  /// Fetches begin, and end when they are no longer held.
  void hold(bool held) {
    const std::lock_guard lock(mutex_);
    held_ = held;
    changed_.notify_all();
  }

  void wait_for(std::size_t num_tiles) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return counts_.size() >= num_tiles; });
  }

  std::vector<int> counts() const {
    const std::lock_guard lock(mutex_);
    std::vector<int> counts;
    for (const auto& [tile, count] : counts_) counts.push_back(count);
    return counts;
  }

 private:
  const io::TileSource& inner_;
  TileGrid grid_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::map<std::int64_t, int> counts_;
  bool held_ = false;
};

/// A run over 8 x 8 tiles, some of which were read before.
struct Bench {
  explicit Bench(Runner runner = Runner::graph)
      : plan(scene.plan(runner, 2)), source(*scene.source, plan.grid), workers(2, runner) {}

  pipeline::RunResult run(HeadStart* head_start, const io::TileSource& from) {
    return pipeline::run({plan, scene.step, from, scene.sink, scene.backend, workers, no_signal,
                          pipeline::ProgressStyle::none, true, nullptr, nullptr, head_start});
  }

  void check(const pipeline::RunResult& result) const {
    REQUIRE_FALSE(result.error.has_value());
    CHECK(result.slots_alive == 0);
    const std::vector<float> values = test::ToyScene::values(scene.rows, scene.cols);
    CHECK(scene.sink.floats("copy") == values);
    CHECK(result.bytes_read == static_cast<std::int64_t>(values.size() * sizeof(float)));
    CHECK(source.counts() == std::vector<int>(64, 1));
  }

  test::ToyScene scene{40, 56, 5, 7};
  pipeline::Plan plan;
  CountingSource source;
  pipeline::Workers workers;
};

}  // namespace

TEST_CASE("tiles that were read before the run are not read again, and tell when they were read") {
  for (const auto runner : {Runner::serial, Runner::graph}) {
    for (const int tiles : {1, 3, 64, 1000}) {
      CAPTURE(tiles);
      Bench b(runner);
      HeadStart head_start(b.plan, b.source, no_signal, tiles);
      b.source.wait_for(static_cast<std::size_t>(std::min(tiles, 64)));
      const double before_s = wall_s();
      const auto result = b.run(&head_start, b.source);
      b.check(result);
      CHECK(result.first_read_s < before_s);
      const auto first = std::find_if(result.spans.begin(), result.spans.end(),
                                      [](const Span& span) { return span.stage == "read" && span.tile == 0; });
      REQUIRE(first != result.spans.end());
      CHECK(first->start_s == result.first_read_s);
      CHECK(first->bytes == 5 * 7 * 3 * 4);
    }
  }
}

TEST_CASE("a tile that is still being read is waited for, and those that were not begun are read by the run") {
  Bench b;
  b.source.hold(true);
  HeadStart head_start(b.plan, b.source, no_signal, 64);
  b.source.wait_for(1);
  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    b.source.hold(false);
  });
  b.check(b.run(&head_start, b.source));
  release.join();
}

TEST_CASE("what goes wrong while a tile is read before the run is the run's error") {
  Bench b;
  test::FaultySource faulty(b.source, b.plan.grid);
  faulty.fault = test::Fault::fetch;
  faulty.fault_tile = 1;
  HeadStart head_start(b.plan, faulty, no_signal, 3);
  b.source.wait_for(2);  // tiles 0 and 2
  const auto result = b.run(&head_start, faulty);
  REQUIRE(result.error);
  CHECK(result.error->code() == Errc::io);
  CHECK(test::contains(result.error->what(), "the toy disk failed"));
  CHECK(test::contains(result.error->what(), "tile 1, stage read"));
  CHECK(result.slots_alive == 0);
}

TEST_CASE("a tile for which there was no memory before the run is read by the run") {
  for (const auto runner : {Runner::serial, Runner::graph}) {
    Bench b(runner);
    test::FaultySource faulty(b.source, b.plan.grid);
    faulty.fault = test::Fault::fetch;
    faulty.fault_tile = 1;
    faulty.fault_code = Errc::out_of_memory;
    HeadStart head_start(b.plan, faulty, no_signal, 3);
    b.source.wait_for(2);  // tiles 0 and 2
    b.check(b.run(&head_start, b.source));
  }
}

TEST_CASE("a signal begins no tile, and ends a head start that nobody takes over") {
  Bench b;
  const pipeline::StopSignal stopped{15};
  { const HeadStart head_start(b.plan, b.source, stopped, 64); }
  CHECK(b.source.counts().empty());
}

TEST_CASE("a head start fits plans of the same tiles and memory alone, and knows its memory") {
  Bench b;
  const HeadStart head_start(b.plan, b.source, no_signal, 3);
  CHECK(head_start.fits(b.plan));
  CHECK(head_start.bytes() == 3 * b.plan.layout->total_bytes());
  test::ToyScene other(40, 56, 5, 8);
  CHECK_FALSE(head_start.fits(other.plan(Runner::graph, 2)));
}
