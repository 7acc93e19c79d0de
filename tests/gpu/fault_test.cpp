// Memory that the simulated device refuses, with both runners and with and without bands: the promised fall-back with
// the same numbers, no slot alive, and no hang (ctest's timeout). Calls of tiles that fail: tile_fault_test.cpp.
#include <doctest/doctest.h>

#include <string>

#include "tests/support/device_backend.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/network_pipeline.hpp"

using namespace outcrop;
using gpu::sim::Faults;
using gpu::sim::Options;
using pipeline::Runner;
using test::NetworkPipeline;

namespace {

constexpr int num_slots = 3;

std::unique_ptr<Backend> sim(const Options& options, std::vector<std::string>* warnings = nullptr) {
  gpu::Warn warn;
  if (warnings != nullptr) warn = [warnings](const std::string& sentence) { warnings->push_back(sentence); };
  return test::device_backend("sim", {0, warn}, options);
}

std::vector<float> undisturbed() {
  static const std::vector<float> series = [] {
    NetworkPipeline job;
    const auto backend = sim({});
    const auto result = job.run(*backend);
    REQUIRE_FALSE(result.error);
    return job.sink.floats("timeseries");
  }();
  return series;
}

/// Jobs, made anew for each run, with each runner, with full-width tiles and with narrow ones that gather in bands.
template <class Check>
void for_all_runs(const Check& check) {
  for (const auto runner : {Runner::serial, Runner::graph}) {
    for (const std::int64_t tile_cols : {std::int64_t{24}, std::int64_t{5}}) {
      CAPTURE(static_cast<int>(runner));
      CAPTURE(tile_cols);
      check([&] {
        auto job = std::make_unique<NetworkPipeline>(5, tile_cols);
        job->config.runner = runner;
        job->config.slots = num_slots;
        return job;
      });
    }
  }
}

void check_fall_back(NetworkPipeline& job, const Faults& faults, Backend* host, std::vector<std::string>& warnings) {
  Options options;
  options.faults = faults;
  const auto backend = sim(options, &warnings);
  const auto result = job.run(*backend, host);
  REQUIRE_MESSAGE(!result.error, std::string(result.error ? result.error->what() : ""));
  CHECK(result.slots_alive == 0);
  CHECK(result.tiles_done == job.plan(*backend).grid.count());
  warnings.insert(warnings.end(), job.warnings.begin(), job.warnings.end());
}

}  // namespace

TEST_CASE("without memory for all slots the run goes on with fewer, says so, and gives the same numbers") {
  for_all_runs([](const auto& make_job) {
    for (const std::int64_t nth : {2, num_slots}) {
      std::vector<std::string> warnings;
      const auto job = make_job();
      check_fall_back(*job, {nth, 0, 0, 0, 0}, nullptr, warnings);
      REQUIRE(warnings.size() == 1);
      CHECK(test::contains(warnings[0], std::to_string(nth - 1) + " tiles in flight instead of 3"));
      CHECK(job->sink.floats("timeseries") == undisturbed());
    }
  });
}

TEST_CASE("without memory for working memory it is halved, which is said, and the numbers are the same") {
  for_all_runs([](const auto& make_job) {
    std::vector<std::string> warnings;
    const auto job = make_job();
    check_fall_back(*job, {num_slots + 2, 0, 0, 0, 0}, nullptr, warnings);
    REQUIRE(warnings.size() == 1);
    CHECK(test::contains(warnings[0], "pixels at once instead of"));
    CHECK(job->sink.floats("timeseries") == undisturbed());
  });
}

TEST_CASE("without memory for the tables a slot is given up for them, which is said, and the numbers are the same") {
  for_all_runs([](const auto& make_job) {
    std::vector<std::string> warnings;
    const auto job = make_job();
    check_fall_back(*job, {num_slots + 1, 0, 0, 0, 0}, nullptr, warnings);
    REQUIRE(warnings.size() == 1);
    CHECK(test::contains(warnings[0], "2 tiles in flight instead of 3"));
    CHECK(job->sink.floats("timeseries") == undisturbed());
  });
}

TEST_CASE("without memory for one slot the host takes over, says so once, and gives right numbers") {
  const pipeline::Workers workers(2, Runner::graph);
  const auto host = cpu::make_cpu_backend(workers.solve_for());
  for_all_runs([&](const auto& make_job) {
    std::vector<std::string> warnings;
    const auto job = make_job();
    check_fall_back(*job, {1, 0, 0, 0, 0}, host.get(), warnings);
    REQUIRE(warnings.size() == 1);
    CHECK(test::contains(warnings[0], "running on the cpu instead of sim"));
    const std::vector<float> series = job->sink.floats("timeseries");
    for (std::size_t i = 0; i < series.size(); ++i) CHECK(series[i] == doctest::Approx(undisturbed()[i]));
  });
}

TEST_CASE("without a host to take over, a device without memory is an error that states the bytes") {
  NetworkPipeline job;
  Options options;
  options.faults.allocation = 1;
  const auto backend = sim(options);
  const auto result = job.run(*backend);
  REQUIRE(result.error);
  CHECK(result.error->code() == Errc::out_of_memory);
  CHECK(test::contains(result.error->what(), "bytes of sim for a slot"));
  CHECK_FALSE(job.sink.begun());
}

TEST_CASE("a plan for a small device has fewer slots and says so; for a tiny one there is none") {
  NetworkPipeline job;
  job.config.slots = num_slots;
  Options options;
  const auto large = sim(options);
  const std::int64_t slot_bytes = large->slot_device_bytes(*job.plan(*large).layout);
  const ProgramOnDevice program = large->program_on_device(job.step);
  const std::int64_t queue_bytes = program.each_queue(job.plan(*large).layout->pixel_capacity());
  options.memory_bytes = program.tables + 2 * (queue_bytes + slot_bytes) + 2048;
  const auto small = sim(options);
  const pipeline::Plan plan = job.plan(*small);
  CHECK(plan.slots == 2);
  REQUIRE(plan.notes.size() == 1);
  CHECK(test::contains(plan.notes[0], "the memory of sim holds 2 tiles in flight instead of 3"));
  const auto result = job.run(*small);
  CHECK_FALSE(result.error);
  CHECK(job.sink.floats("timeseries") == undisturbed());
  options.memory_bytes = program.tables;
  const auto tiny = sim(options);
  CHECK(test::contains(test::error_of([&] { job.plan(*tiny); }), "one tile of 5 x 24 pixels"));
}
