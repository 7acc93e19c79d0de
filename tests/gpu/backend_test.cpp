// The device backend as the pipeline sees it, on the simulated device.
#include "gpu/backend.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "cpu/backend.hpp"
#include "gpu/sim/runtime.hpp"
#include "tests/support/device_backend.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/network_run.hpp"
#include "tests/support/networks.hpp"

using namespace outcrop;
using gpu::sim::Options;

namespace {

/// Each pixel's answer tells which tile it is of: 2 dates, 1 pair.
struct Bench {
  explicit Bench(int queues, const Options& options = {})
      : backend(gpu::make_backend(gpu::sim::make_runtime(options), {queues, {}})), layout(test::layout_of(step, 100)) {}

  static model::Step pair_step() {
    auto p = std::make_shared<model::InvertNetwork>();
    p->network = model::make_network({{"20200101", "20200113"}});
    p->reference = {0};
    p->weight = model::WeightFunction::none;
    return model::make_invert_network(p);
  }

  void fill(Slot& slot, std::int64_t tile) const {
    slot.tile = tile;
    slot.rect = {0, 0, 1, 1 + tile % 100};
    const auto observation = slot.plane<float>(layout->index("observation"));
    for (std::int64_t i = 0; i < slot.rect.pixels(); ++i) observation(0, i) = static_cast<float>(tile + 1);
  }

  bool is_right(const Slot& slot) const {
    const auto series = slot.plane<float>(layout->index("timeseries"));
    for (std::int64_t i = 0; i < slot.rect.pixels(); ++i) {
      if (series(0, i) != 0 || series(1, i) != static_cast<float>(slot.tile + 1)) return false;
    }
    return slot.tally[PixelStatus::ok] == slot.rect.pixels();
  }

  /// Of all products of the slot's tile.
  std::size_t hash(const Slot& slot) const {
    std::string bytes;
    for (const char* name : {"timeseries", "quality", "count"}) {
      const auto plane = slot.plane<float>(layout->index(name));
      for (std::int64_t k = 0; k < plane.extent(0); ++k) {
        bytes.append(reinterpret_cast<const char*>(&plane(k, 0)),
                     static_cast<std::size_t>(slot.rect.pixels()) * sizeof(float));
      }
    }
    return std::hash<std::string>{}(bytes);
  }

  model::Step step = pair_step();
  std::unique_ptr<Backend> backend;
  std::shared_ptr<const SlotLayout> layout;
};

/// Tiles in three slots, each of which is filled anew as soon as its tile is done.
class ThreeSlots {
 public:
  explicit ThreeSlots(Bench& bench) : bench_(bench), busy_(3) {
    for (int i = 0; i < 3; ++i) slots_.push_back(bench.backend->allocate(bench.layout));
    program_ = bench.backend->compile(bench.step, *bench.layout);
  }

  /// Gives the hash of each tile; all of them must carry their own numbers.
  std::vector<std::size_t> run(int num_tiles) {
    std::vector<std::size_t> hashes(static_cast<std::size_t>(num_tiles));
    std::atomic<int> num_right{0};
    std::atomic<int> num_done{0};
    for (std::int64_t tile = 0; tile < num_tiles; ++tile) {
      const auto at = static_cast<std::size_t>(tile % 3);
      while (busy_[at].exchange(true)) std::this_thread::yield();
      Slot& slot = slots_[at];
      bench_.fill(slot, tile);
      bench_.backend->submit(*program_, slot, [&, at](const std::optional<Error>& error) {
        num_right += !error && bench_.is_right(slots_[at]) ? 1 : 0;
        hashes[static_cast<std::size_t>(slots_[at].tile)] = bench_.hash(slots_[at]);
        ++num_done;
        busy_[at] = false;
      });
    }
    bench_.backend->drain();
    CHECK(num_done == num_tiles);
    CHECK(num_right == num_tiles);
    return hashes;
  }

 private:
  Bench& bench_;
  std::vector<Slot> slots_;
  std::unique_ptr<TileProgram> program_;
  std::vector<std::atomic<bool>> busy_;
};

}  // namespace

TEST_CASE(
    "two thousand small tiles in three slots each carry their own number, in pageable memory and shared queues too") {
  for (const int queues : {0, 1, 2}) {
    Options options;
    options.launch_s = queues == 0 ? 20e-6 : 0;
    options.faults.pinned = queues == 1 ? 1 : 0;
    Bench b(queues, options);
    ThreeSlots(b).run(2000);
  }
}

TEST_CASE("fifty repeats of slow work from pageable memory on three queues give every tile the same bits") {
  // Slots that are filled anew too early, or copies that overtake a kernel, show up as another tile's numbers.
  Options options;
  options.launch_s = 20e-6;
  options.copy_bytes_per_s = 2e7;
  options.faults.pinned = 1;
  Bench b(3, options);
  ThreeSlots slots(b);
  const std::vector<std::size_t> first = slots.run(100);
  CHECK(first[7] != first[8]);
  for (int repeat = 1; repeat < 50; ++repeat) {
    CAPTURE(repeat);
    CHECK(slots.run(100) == first);
  }
}

TEST_CASE("submit returns before the device is done, and slots with queues of their own overlap") {
  Options options;
  options.launch_s = 0.05;
  Bench b(0, options);
  Slot first = b.backend->allocate(b.layout);
  const auto program = b.backend->compile(b.step, *b.layout);
  b.fill(first, 5);
  std::atomic<bool> done{false};
  const double start_s = wall_s();
  b.backend->submit(*program, first, [&](const std::optional<Error>&) { done = true; });
  CHECK_FALSE(done);
  b.backend->drain();
  CHECK(done);
  CHECK(wall_s() - start_s >= options.launch_s);
}

TEST_CASE("a slot says when it was copied in, solved and copied out") {
  Bench b(0);
  Slot slot = b.backend->allocate(b.layout);
  const auto program = b.backend->compile(b.step, *b.layout);
  b.fill(slot, 41);
  b.backend->submit(*program, slot, [](const std::optional<Error>&) {});
  b.backend->drain();
  REQUIRE(slot.spans.size() == 3);
  CHECK(slot.spans[0].stage == "copy_in");
  CHECK(slot.spans[1].stage == "solve");
  CHECK(slot.spans[2].stage == "copy_out");
  CHECK(slot.spans[0].bytes == 42 * 4);
  for (const Span& span : slot.spans) {
    CHECK(span.tile == 41);
    CHECK(span.end_s >= span.start_s);
  }
  CHECK(slot.spans[1].start_s >= slot.spans[0].end_s);
  CHECK(slot.spans[2].start_s >= slot.spans[1].end_s);
}

TEST_CASE("slots may outlive the backend") {
  Bench b(0);
  const Slot slot = b.backend->allocate(b.layout);
  b.backend.reset();
  CHECK(slot.layout().pixel_capacity() == b.layout->pixel_capacity());
}

TEST_CASE("a step without a device program is refused by name") {
  Bench b(0);
  b.step.name = "levitate";
  CHECK_THROWS_WITH_AS(b.backend->compile(b.step, *b.layout),
                       "the device backend has no program for the step 'levitate'", Error);
  CHECK_THROWS_AS(b.backend->program_bytes(b.step), Error);
  b.step.solver = model::Solver::batched;
  CHECK_THROWS_WITH_AS(b.backend->compile(b.step, *b.layout),
                       "the device backend has no batched program for the step 'levitate'", Error);
}

TEST_CASE("devices are known by name, and what is not one is refused") {
  CHECK(test::device_backend("sim")->name() == "sim");
  for (const char* name : {"abacus", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "simulation", ""}) {
    CAPTURE(name);
    CHECK(test::contains(test::error_of([&] { test::device_backend(name); }), "no device has that name"));
  }
}

TEST_CASE("pixels of many islands are solved as those of few") {
  test::Random random(17);
  model::InvertNetwork p;
  p.network = test::make_test_network(random, test::NetworkShape::sequential, 40);
  p.reference.assign(p.network.pairs.size(), 0);
  p.weight = model::WeightFunction::none;
  p.min_redundancy = 0;
  p.wants_islands = true;
  test::NetworkScene scene;
  scene.cols = 70;
  for (std::int64_t k = 0; k < p.num_pairs(); ++k) {
    for (std::int64_t i = 0; i < scene.cols; ++i) {
      // Ever fewer pairs: from one island to forty.
      const bool hole = test::random_int(random, 0, 69) < i;
      scene.observation.push_back(hole ? 0.0F : static_cast<float>(test::random_real(random, 0.1, 3)));
    }
  }
  for (const auto norm : {model::MinimumNorm::velocity, model::MinimumNorm::phase}) {
    p.norm = norm;
    const auto device = test::device_backend("sim");
    const SerialFor serial;
    const auto host = cpu::make_cpu_backend(serial);
    const test::NetworkResult found = test::run_network(*device, p, scene, 1, 70);
    const test::NetworkResult expected = test::run_network(*host, p, scene, 1, 70);
    CHECK(*std::max_element(found.islands.begin(), found.islands.end()) > 30);
    CHECK(found.islands == expected.islands);
    CHECK(found.status == expected.status);
    CHECK(found.count == expected.count);
    for (std::size_t i = 0; i < found.timeseries.size(); ++i) {
      CHECK(found.timeseries[i] == doctest::Approx(expected.timeseries[i]).epsilon(1e-5));
    }
  }
}
