// A run on a device that takes time to start, from storage that takes time to answer: one is waited for while the other
// is.
#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "core/clock.hpp"
#include "gpu/backend.hpp"
#include "gpu/device_start.hpp"
#include "pipeline/head_start.hpp"
#include "tests/support/network_pipeline.hpp"

using namespace outcrop;

namespace {

const pipeline::StopSignal no_signal{0};

constexpr double start_s = 1.2;
constexpr int num_tiles = 4;
constexpr double fetch_s = 0.25;

/// Another source, on slow storage.
class SlowSource final : public io::TileSource {
 public:
  explicit SlowSource(const io::TileSource& inner) : inner_(inner) {}

  const io::SourceInfo& describe() const override { return inner_.describe(); }
  std::int64_t raw_bytes(const TileRect& rect) const override { return inner_.raw_bytes(rect); }
  std::int64_t scratch_bytes() const override { return inner_.scratch_bytes(); }
  std::int64_t fetch(const TileRect& rect, std::span<std::byte> raw,
                     std::span<const View<float, 2>> planes) const override {
    std::this_thread::sleep_for(std::chrono::duration<double>(fetch_s));
    return inner_.fetch(rect, raw, planes);
  }
  io::DecodeVolume decode(const TileRect& rect, std::span<const std::byte> raw, std::span<const View<float, 2>> planes,
                          std::span<std::byte> scratch, const ParallelFor& parallel) const override {
    return inner_.decode(rect, raw, planes, scratch, parallel);
  }

 private:
  const io::TileSource& inner_;
};

/// Gives: seconds from the wish for a device to the last tile, one tile being read at a time.
double run_s(test::NetworkPipeline& job, bool reads_ahead) {
  job.config.readers = 1;
  job.config.slots = num_tiles;
  const SlowSource source(*job.source);
  gpu::sim::Options options;
  options.start_s = start_s;
  const double before_s = wall_s();
  const gpu::DeviceStart start("sim", options);
  pipeline::Workers workers(2, job.config.runner);
  const auto host = cpu::make_cpu_backend(workers.solve_for());
  const pipeline::Plan expected = job.plan(*host);
  std::optional<pipeline::HeadStart> head_start;
  if (reads_ahead) head_start.emplace(expected, source, no_signal, num_tiles);
  const auto backend = gpu::make_backend(start.open("sim"), {});
  const pipeline::Plan plan = job.plan(*backend);
  REQUIRE(plan.grid.count() == num_tiles);
  const auto result =
      pipeline::run({plan, job.step, source, job.sink, *backend, workers, no_signal, pipeline::ProgressStyle::none,
                     false, nullptr, nullptr, reads_ahead ? &*head_start : nullptr});
  const double wall = wall_s() - before_s;
  CHECK_FALSE(result.error);
  if (reads_ahead) CHECK(head_start->fits(plan));
  return wall;
}

}  // namespace

TEST_CASE("a run takes less than the start of its device and the reading of its tiles together, for the same numbers") {
  test::NetworkPipeline job;
  test::NetworkPipeline one_by_one;
  const double wall = run_s(job, true);
  const double one_by_one_wall = run_s(one_by_one, false);
  CHECK(one_by_one_wall >= start_s + num_tiles * fetch_s);
  // What is not waiting takes both runs as long; half of the second that reading takes is left for differences.
  CHECK(wall < one_by_one_wall - 0.5);
  CHECK(job.sink.floats("timeseries") == one_by_one.sink.floats("timeseries"));
}
