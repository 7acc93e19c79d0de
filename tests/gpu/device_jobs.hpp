// Jobs for a device that fails: both steps, solved by their structure and in batches that the device or the host
// assembles, with both runners, in tiles as wide as the image and in narrow ones that gather in bands.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/counted_device.hpp"
#include "tests/support/device_backend.hpp"
#include "tests/support/host_share.hpp"
#include "tests/support/network_pipeline.hpp"
#include "tests/support/thread_for.hpp"
#include "tests/support/topography_pipeline.hpp"

namespace outcrop::test {

inline constexpr int num_slots = 3;
inline constexpr std::int64_t batch_pixels = 20;  // six batches in a wide tile, two in a narrow one, the last not full

struct DeviceJob {
  const char* step = "";
  model::Solver solver = model::Solver::structured;
  bool host_assembles = false;
  pipeline::Runner runner = pipeline::Runner::graph;
  std::int64_t tile_cols = pipeline_cols;

  std::unique_ptr<StepPipeline> pipeline() const {
    std::unique_ptr<StepPipeline> job;
    if (std::string(step) == "invert-network") {
      job = std::make_unique<NetworkPipeline>(5, tile_cols, solver);
    } else {
      job = std::make_unique<TopographyPipeline>(5, tile_cols, solver);
    }
    job->config.runner = runner;
    job->config.slots = num_slots;
    return job;
  }

  /// warnings: of the device; may be null, and must outlive the backend.
  gpu::DeviceOptions options(std::vector<std::string>* warnings = nullptr) const {
    static const ThreadFor threads(2);
    gpu::Warn warn;
    if (warnings != nullptr) warn = [warnings](const std::string& sentence) { warnings->push_back(sentence); };
    return {0, warn, batch_pixels, host_share(threads, host_assembles)};
  }

  std::unique_ptr<Backend> device(const gpu::sim::Faults& faults, std::vector<std::string>* warnings = nullptr) const {
    gpu::sim::Options sim;
    sim.faults = faults;
    return device_backend("sim", options(warnings), sim);
  }
};

/// Jobs of every kind, each with what tells it from the others.
template <class Check>
void for_all_jobs(const Check& check) {
  using model::Solver;
  constexpr DeviceJob kinds[] = {
      {"invert-network", Solver::structured},         {"invert-network", Solver::batched, false},
      {"invert-network", Solver::batched, true},      {"correct-topography", Solver::structured},
      {"correct-topography", Solver::batched, false}, {"correct-topography", Solver::batched, true}};
  for (DeviceJob job : kinds) {
    for (const auto runner : {pipeline::Runner::serial, pipeline::Runner::graph}) {
      for (const std::int64_t tile_cols : {pipeline_cols, std::int64_t{5}}) {
        job.runner = runner;
        job.tile_cols = tile_cols;
        CAPTURE(job.step);
        CAPTURE(model::name_of(job.solver));
        CAPTURE(job.host_assembles);
        CAPTURE(static_cast<int>(runner));
        CAPTURE(tile_cols);
        check(static_cast<const DeviceJob&>(job));
      }
    }
  }
}

/// The bytes of all float products.
inline std::vector<std::byte> product_bytes(const StepPipeline& job) {
  std::vector<std::byte> bytes;
  for (const auto& output : job.step.outputs) {
    if (output.dtype != DType::f32) continue;
    const std::vector<float> values = job.sink.floats(output.name);
    const auto* const begin = reinterpret_cast<const std::byte*>(values.data());
    bytes.insert(bytes.end(), begin, begin + values.size() * sizeof(float));
  }
  return bytes;
}

/// What a run of the job on a sound device calls and gives.
struct Undisturbed {
  explicit Undisturbed(const DeviceJob& job) {
    CallCounter counter;
    const auto pipeline = job.pipeline();
    {
      auto runtime = std::make_shared<CountedRuntime>(gpu::open_device("sim", {}), counter);
      CountedBackend backend(gpu::make_backend(std::move(runtime), job.options()), counter);
      const auto result = pipeline->run(backend);
      REQUIRE_MESSAGE(!result.error, std::string(result.error ? result.error->what() : ""));
    }
    before_tiles = counter.before_tiles();
    all = counter.calls();
    products = product_bytes(*pipeline);
    series = pipeline->sink.floats(pipeline->step.outputs.front().name);
  }

  std::int64_t num_tiles() const { return static_cast<std::int64_t>(before_tiles.size()); }

  std::vector<Calls> before_tiles;
  Calls all;
  std::vector<std::byte> products;
  std::vector<float> series;  ///< the first product
};

}  // namespace outcrop::test
