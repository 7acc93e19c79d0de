// A whole run of a step over a scene in memory, through plan, runner and any backend, without files.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cpu/backend.hpp"
#include "io/memory_sink.hpp"
#include "io/memory_source.hpp"
#include "model/step.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/runner.hpp"

namespace outcrop::test {

inline constexpr std::int64_t pipeline_rows = 20;
inline constexpr std::int64_t pipeline_cols = 24;
inline constexpr std::int64_t pipeline_pixels = pipeline_rows * pipeline_cols;

struct StepPipeline {
  /// planes: values [depth][pipeline_pixels] of the step's inputs by name.
  StepPipeline(model::Step its_step, std::map<std::string, std::vector<float>> planes, std::int64_t tile_rows,
               std::int64_t tile_cols)
      : step(std::move(its_step)), sink(pipeline_rows, pipeline_cols, sink_planes(step)) {
    std::vector<io::MemoryPlane> inputs;
    for (const auto& input : step.inputs) {
      inputs.push_back({input.name, input.depth, std::move(planes.at(input.name)), tile_rows, tile_cols, false});
    }
    source = io::make_memory_source(pipeline_rows, pipeline_cols, std::move(inputs));
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

  model::Step step;
  pipeline::Config config;
  std::unique_ptr<io::TileSource> source;
  io::MemorySink sink;
  std::vector<std::string> warnings;
};

}  // namespace outcrop::test
