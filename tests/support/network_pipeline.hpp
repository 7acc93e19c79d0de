// A whole run of invert-network over a scene in memory, through plan, runner and any backend, without files.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cpu/backend.hpp"
#include "io/memory_sink.hpp"
#include "io/memory_source.hpp"
#include "model/steps/invert_network.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/runner.hpp"
#include "tests/support/networks.hpp"

namespace outcrop::test {

inline constexpr std::int64_t pipeline_rows = 20;
inline constexpr std::int64_t pipeline_cols = 24;

/// Twelve dates of which some pixels have lost all but a few pairs: up to eleven islands.
inline model::InvertNetwork pipeline_network() {
  Random random(3);
  model::InvertNetwork p;
  p.network = make_test_network(random, NetworkShape::sequential, 12);
  p.reference.assign(p.network.pairs.size(), 0.5F);
  p.num_looks = 10;
  p.min_redundancy = 0;
  p.metres_per_unit = -0.0044;
  return p;
}

/// Samples [M][pixels]: noise, with more holes from left to right.
inline std::vector<float> pipeline_samples(const model::InvertNetwork& p) {
  Random random(4);
  std::vector<float> samples;
  for (std::int64_t i = 0; i < p.num_pairs() * pipeline_rows * pipeline_cols; ++i) {
    const bool hole = random_int(random, 0, static_cast<int>(pipeline_cols) + 3) < i % pipeline_cols;
    samples.push_back(hole ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random_real(random, -3, 3)));
  }
  return samples;
}

struct NetworkPipeline {
  explicit NetworkPipeline(std::int64_t tile_rows = 5, std::int64_t tile_cols = 24)
      : parameters(std::make_shared<const model::InvertNetwork>(pipeline_network())),
        step(model::make_invert_network(parameters)),
        sink(pipeline_rows, pipeline_cols, sink_planes(step)) {
    const std::vector<float> samples = pipeline_samples(*parameters);
    std::vector<io::MemoryPlane> planes;
    for (const auto& input : step.inputs) {
      std::vector<float> values = samples;
      if (input.name == "coherence") values.assign(samples.size(), 0.7F);
      planes.push_back({input.name, input.depth, std::move(values), tile_rows, tile_cols, false});
    }
    source = io::make_memory_source(pipeline_rows, pipeline_cols, std::move(planes));
    config.tile_rows = tile_rows;
    config.tile_cols = tile_cols;
  }

  static std::vector<io::SinkPlane> sink_planes(const model::Step& step) {
    std::vector<io::SinkPlane> planes;
    for (const auto& output : step.outputs) planes.push_back({output.name, output.depth, output.dtype});
    return planes;
  }

  pipeline::Plan plan(Backend& backend) const {
    constexpr std::int64_t cap = std::int64_t{1} << 30;
    return pipeline::make_plan(
        {config, step, *source, sink, backend, pipeline::reference_machine(), cap, "the test", 2});
  }

  /// `host`: takes over when the device has no memory; may be null.
  pipeline::RunResult run(Backend& backend, Backend* host = nullptr) {
    static const pipeline::StopSignal no_signal{0};
    const pipeline::Plan planned = plan(backend);
    pipeline::Workers workers(2, config.runner);
    return pipeline::run({planned, step, *source, sink, backend, workers, no_signal, pipeline::ProgressStyle::none,
                          false, host, [this](const std::string& sentence) { warnings.push_back(sentence); }});
  }

  std::shared_ptr<const model::InvertNetwork> parameters;
  model::Step step;
  pipeline::Config config;
  std::unique_ptr<io::TileSource> source;
  io::MemorySink sink;
  std::vector<std::string> warnings;
};

}  // namespace outcrop::test
