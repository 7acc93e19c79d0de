// The plan: pure, within the cap, and plain about what does not fit.
#include "pipeline/plan.hpp"

#include <doctest/doctest.h>

#include <span>

#include "tests/support/error_text.hpp"
#include "tests/support/toy_device.hpp"
#include "tests/support/toy_run.hpp"

using namespace outcrop;

namespace {

/// Without the rates that a machine file may leave out.
pipeline::Machine coarse_machine() {
  const pipeline::Machine all = pipeline::reference_machine();
  pipeline::Machine machine;
  machine.read_bytes_per_s = all.read_bytes_per_s;
  machine.write_bytes_per_s = all.write_bytes_per_s;
  machine.decode_plain_bytes_per_s = all.decode_plain_bytes_per_s;
  machine.decode_packed_bytes_per_s = all.decode_packed_bytes_per_s;
  machine.flops_per_s = all.flops_per_s;
  machine.start_s = all.start_s;
  return machine;
}

struct Bench {
  Bench(std::int64_t rows, std::int64_t cols, std::int64_t chunk_rows, std::int64_t chunk_cols)
      : scene(rows, cols, chunk_rows, chunk_cols) {
    scene.config.tile_rows = scene.config.tile_cols = 0;
  }
  pipeline::Plan plan(std::int64_t cap, int threads = 2) {
    return pipeline::make_plan(
        {scene.config, scene.step, *scene.source, scene.sink, scene.backend, machine, cap, "the test", threads});
  }
  pipeline::Machine machine = coarse_machine();
  test::ToyScene scene;
};

/// Described, and never read.
class UnreadSource : public io::TileSource {
 public:
  std::int64_t fetch(const TileRect&, std::span<std::byte>, std::span<const View<float, 2>>) const override {
    return 0;
  }
  io::DecodeVolume decode(const TileRect&, std::span<const std::byte>, std::span<const View<float, 2>>,
                          std::span<std::byte>, const ParallelFor&) const override {
    return {};
  }
};

/// A large file of which nothing but its shape is there.
class ShapeSource final : public UnreadSource {
 public:
  ShapeSource(std::int64_t side, std::int64_t chunk) {
    io::PlaneInfo plane;
    plane.name = "in";
    plane.depth = test::toy_layers;
    plane.chunk_rows = plane.chunk_cols = chunk;
    plane.needed_bytes = plane.decoded_bytes = 4 * test::toy_layers * side * side;
    info_ = {side, side, {plane}};
  }
  const io::SourceInfo& describe() const override { return info_; }
  std::int64_t raw_bytes(const TileRect& rect) const override { return 4 * test::toy_layers * rect.pixels(); }
  std::int64_t scratch_bytes() const override { return 0; }

 private:
  io::SourceInfo info_;
};

/// Another source that describes its only plane differently.
class DescribedSource final : public UnreadSource {
 public:
  DescribedSource(const io::TileSource& inner, const io::PlaneInfo& plane) : inner_(inner), info_(inner.describe()) {
    info_.planes = {plane};
  }
  const io::SourceInfo& describe() const override { return info_; }
  std::int64_t raw_bytes(const TileRect& rect) const override { return inner_.raw_bytes(rect); }
  std::int64_t scratch_bytes() const override { return inner_.scratch_bytes(); }

 private:
  const io::TileSource& inner_;
  io::SourceInfo info_;
};

/// One that leaves all of its bytes for the end.
class LateSink final : public io::TileSink {
 public:
  explicit LateSink(const io::TileSink& inner) : inner_(inner) {}
  const std::vector<io::SinkPlane>& planes() const override { return inner_.planes(); }
  std::int64_t late_bytes() const override { return 1 << 30; }
  void begin() override {}
  std::int64_t write(const io::PlaneBlock&) override { return 0; }
  void commit(const std::vector<io::LateAttribute>&) override {}
  void abandon() noexcept override {}

 private:
  const io::TileSink& inner_;
};

/// A deep plane whose rows lie in one piece, beside another one in chunks.
class MixedSource final : public UnreadSource {
 public:
  MixedSource(std::int64_t side, std::int64_t depth, std::int64_t chunk) {
    io::PlaneInfo rows;
    rows.name = "rows";
    rows.depth = depth;
    rows.needed_bytes = rows.decoded_bytes = 4 * depth * side * side;
    io::PlaneInfo chunks = rows;
    chunks.name = "chunks";
    chunks.chunk_rows = chunks.chunk_cols = chunk;
    info_ = {side, side, {rows, chunks}};
  }
  const io::SourceInfo& describe() const override { return info_; }
  std::int64_t raw_bytes(const TileRect& rect) const override { return 8 * info_.planes[0].depth * rect.pixels(); }
  std::int64_t scratch_bytes() const override { return 0; }
  model::Step step() const {
    model::Step step = test::toy_step();
    step.inputs.clear();
    for (const auto& plane : info_.planes) step.inputs.push_back({plane.name, plane.depth, "1", {}});
    return step;
  }

 private:
  io::SourceInfo info_;
};

pipeline::Plan plan_of(const ShapeSource& source, const pipeline::Machine& machine, const pipeline::Config& config,
                       std::int64_t cap = std::int64_t{8} << 30) {
  const auto& info = source.describe();
  const model::Step step = test::toy_step();
  const io::MemorySink sink(info.rows, info.cols, {{"copy", test::toy_layers, DType::f32}, {"sum", 1, DType::f32}});
  test::ToyBackend backend;
  return pipeline::make_plan({config, step, source, sink, backend, machine, cap, "the test", 2});
}

double stage_s(const pipeline::Plan& plan, const std::string& name) {
  for (const auto& [stage, seconds] : plan.predicted.stages) {
    if (stage == name) return seconds;
  }
  return -1;
}

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

TEST_CASE("memory that unused devices hold is left to them") {
  Bench b(300, 500, 16, 24);
  const std::int64_t held = 40 << 20;
  const auto plan = pipeline::make_plan({b.scene.config, b.scene.step, *b.scene.source, b.scene.sink, b.scene.backend,
                                         b.machine, 110 << 20, "the test", 2, held});
  CHECK(plan.planned_bytes() <= 110 << 20);
  CHECK(test::contains(explain(plan), "device libraries"));
  CHECK(plan.planned_bytes() > b.plan(70 << 20).planned_bytes());
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

TEST_CASE("a device has copies both ways beside its kernels, each at its own rate") {
  Bench b(300, 500, 16, 24);
  test::ToyDevice device;
  const auto plan = pipeline::make_plan(
      {b.scene.config, b.scene.step, *b.scene.source, b.scene.sink, device, b.machine, 1 << 30, "the test", 2});
  const double pixels = 300 * 500;
  CHECK(stage_s(plan, "copy_in") == doctest::Approx(pixels * 12 / 1e6));
  CHECK(stage_s(plan, "copy_out") == doctest::Approx(pixels * 16 / 1e6));
  CHECK(stage_s(plan, "solve") == doctest::Approx(pixels * 3 / 1e6 + 0.01 * static_cast<double>(plan.grid.count())));
  CHECK(plan.predicted.bottleneck == "copy_out");
  CHECK(plan.device_bytes > 0);
  CHECK(test::contains(explain(plan), "device memory"));
}

TEST_CASE("what a device says of its start and of its parts' batches is predicted") {
  Bench b(300, 500, 16, 24);
  test::ToyDevice device;
  const auto planned = [&] {
    return pipeline::make_plan(
        {b.scene.config, b.scene.step, *b.scene.source, b.scene.sink, device, b.machine, 1 << 30, "the test", 2});
  };
  const auto at_once = planned();
  device.start_s = 3;
  CHECK(planned().predicted.wall_s == doctest::Approx(at_once.predicted.wall_s + 3));
  device.program.parts = {{100, 5}, {1000, 4}};
  const auto plan = planned();
  const std::int64_t tile = plan.grid.tile_rows() * plan.grid.tile_cols();
  const auto launches = plan.grid.count() * ((tile + 99) / 100 * 5 + (tile + 999) / 1000 * 4);
  CHECK(stage_s(plan, "solve") == doctest::Approx(300 * 500 * 3 / 1e6 + 0.01 * static_cast<double>(launches)));
  CHECK(test::contains(explain(plan), "batches of 100 and then 1000 pixels on a queue"));
}

TEST_CASE("pixels take their kernel's time, and memory bounds a run too") {
  Bench b(300, 500, 16, 24);
  b.machine.kernels = {{"toy", model::Solver::structured, 1e-4, 1e9}};
  const auto solving = b.plan(1 << 30);
  CHECK(stage_s(solving, "solve") == doctest::Approx(300 * 500 * (1e-4 + 3e-9) / 2));
  CHECK(solving.predicted.bottleneck == "solve");
  b.machine.kernels.clear();
  b.machine.memory_copy_bytes_per_s = 1e5;
  CHECK(b.plan(1 << 30).predicted.bottleneck == "memory");
}

TEST_CASE("each compression is decoded at its own rate, and rows in one piece take what reading them takes") {
  Bench b(300, 500, 16, 24);
  b.machine.decode_plain_bytes_per_s = 8e9;
  b.machine.decode_lzf_bytes_per_s = 1e9;
  io::PlaneInfo plane = b.scene.source->describe().planes[0];
  const auto planned = [&] {
    const DescribedSource source(*b.scene.source, plane);
    return pipeline::make_plan(
        {b.scene.config, b.scene.step, source, b.scene.sink, b.scene.backend, b.machine, 1 << 30, "the test", 2});
  };
  plane.packing = io::Packing::lzf;
  plane.chunks = 40;
  plane.packed_chunks = 10;
  const double bytes = 300 * 500 * 12;
  CHECK(stage_s(planned(), "decode") == doctest::Approx(bytes * (0.25 / 1e9 + 0.75 / 8e9) / 2));
  CHECK(planned().packed_bytes == 300 * 500 * 3);
  plane.packed_chunks = 40;
  CHECK(stage_s(planned(), "decode") == doctest::Approx(bytes / 1e9 / 2));
  b.machine.decode_lzf_stored_bytes_per_s = 5e8;
  plane.needed_bytes = 300 * 500 * 5;
  CHECK(stage_s(planned(), "decode") == doctest::Approx((bytes / 1e9 + 300 * 500 * 5 / 5e8) / 2));
  plane = {"in", "", "", 3, 0, 0, "", false, plane.needed_bytes, plane.decoded_bytes};
  CHECK(stage_s(planned(), "decode") == doctest::Approx(bytes / 8e9 / 2));
  b.machine.read_request_cpu_s = 1;
  const auto requests = static_cast<double>(3 * planned().grid.count());
  CHECK(stage_s(planned(), "decode") == doctest::Approx((bytes / 8e9 + requests) / 2));
  plane.direct = true;
  CHECK(stage_s(planned(), "decode") == 0);
  b.machine.read_cpu_bytes_per_s = 1e6;
  CHECK(stage_s(planned(), "decode") == doctest::Approx(300 * 500 * 5 / 1e6 / 2));
  CHECK(planned().direct_bytes == 300 * 500 * 12);
}

TEST_CASE("what storage is given at the end adds to the run instead of hiding behind other stages") {
  Bench b(300, 500, 16, 24);
  b.machine.write_bytes_per_s = 1e6;
  const LateSink late(b.scene.sink);
  const auto early = b.plan(1 << 30);
  const auto plan = pipeline::make_plan(
      {b.scene.config, b.scene.step, *b.scene.source, late, b.scene.backend, b.machine, 1 << 30, "the test", 2});
  CHECK(stage_s(early, "write") == doctest::Approx(300 * 500 * 16 / 1e6));
  CHECK(stage_s(plan, "write") == doctest::Approx(0));
  CHECK(plan.predicted.wall_s >= b.machine.start_s + 300 * 500 * 16 / 1e6);
}

TEST_CASE("hours over a network are told when there is something to wait for") {
  Bench b(300, 500, 16, 24);
  auto plan = b.plan(1 << 30);
  CHECK_FALSE(test::contains(explain(plan), "GbE"));
  plan.needed_bytes = 4'200'000'000'000;
  plan.output_bytes = 12'000'000'000;
  CHECK(test::contains(explain(plan), "10 h 00 min over 1 GbE, 1 h 00 min over 10 GbE, 6 min 00 s over 100 GbE"));
}

TEST_CASE("where requests wait long, more of them are under way and each is longer") {
  auto machine = pipeline::reference_machine();
  const ShapeSource rows(20000, 0);
  const auto near = plan_of(rows, machine, {});
  machine.read_latency_s = 0.5;
  const auto far = plan_of(rows, machine, {});
  CHECK(near.readers <= 4);
  CHECK(far.readers > near.readers);
  CHECK(far.slots >= far.readers);
  CHECK(far.grid.tile_rows() > 2 * near.grid.tile_rows());
  CHECK(far.planned_bytes() <= far.memory_cap_bytes);
  const ShapeSource chunks(4000, 50);
  machine.read_latency_s = 0.005;
  CHECK(plan_of(chunks, machine, {}).readers >= 8);
}

TEST_CASE("more readers and larger tiles stay within the cap, and what the configuration says stays") {
  auto machine = pipeline::reference_machine();
  machine.read_latency_s = 0.5;
  const ShapeSource rows(20000, 0);
  for (const std::int64_t cap : {80LL << 20, 200LL << 20, 1LL << 30}) {
    CHECK(plan_of(rows, machine, {}, cap).planned_bytes() <= cap);
  }
  pipeline::Config config;
  config.readers = 3;
  config.slots = 4;
  config.tile_rows = 10;
  config.tile_cols = 20000;
  const auto plan = plan_of(rows, machine, config);
  CHECK(plan.readers == 3);
  CHECK(plan.slots == 4);
  CHECK(plan.grid.tile_rows() == 10);
}

TEST_CASE("the chunks of a small scene are shared out among so many tiles that its stages overlap") {
  auto machine = pipeline::reference_machine();
  machine.start_s = 1e-3;
  const auto plan = plan_of(ShapeSource(1000, 50), machine, {});
  CHECK(plan.grid.count() >= 8);
  CHECK(plan.grid.tile_rows() % 50 == 0);
  CHECK(plan.grid.tile_cols() % 50 == 0);
}

TEST_CASE("a billion pixels are planned at once, whatever storage they lie on") {
  auto machine = pipeline::reference_machine();
  for (const double latency_s : {0.0, 0.005}) {
    machine.read_latency_s = latency_s;
    for (const std::int64_t chunk : {0, 64})
      CHECK(plan_of(ShapeSource(31623, chunk), machine, {}).predicted.wall_s > 1);
  }
}

TEST_CASE(
    "data in rows beside chunks are read in tiles as wide as the image where short requests cost more, if memory "
    "allows") {
  const MixedSource source(2000, 100, 200);
  const model::Step step = source.step();
  const io::MemorySink sink(2000, 2000, {{"copy", test::toy_layers, DType::f32}, {"sum", 1, DType::f32}});
  test::ToyBackend backend;
  pipeline::Machine machine = coarse_machine();
  machine.read_bytes_per_s = machine.write_bytes_per_s = 1e12;
  const auto planned = [&](std::int64_t cap) {
    return pipeline::make_plan({{}, step, source, sink, backend, machine, cap, "the test", 2});
  };
  CHECK(planned(8LL << 30).grid.across() > 1);
  machine.read_request_cpu_s = 1e-6;
  CHECK(planned(8LL << 30).grid.across() == 1);
  CHECK(planned(512LL << 20).grid.across() > 1);
}
