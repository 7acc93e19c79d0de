// A small step, backend, source and sink with faults to order, to try the pipeline without files or science.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/backend.hpp"
#include "io/memory_sink.hpp"
#include "io/memory_source.hpp"
#include "model/step.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/runner.hpp"

namespace outcrop::test {

/// Where a run is made to fail, and at which call of that place.
enum class Fault { none, fetch, decode, solve_reports, write, begin };

inline constexpr std::int64_t toy_layers = 3;

/// "in" [3] -> "copy" [3] and "sum" [1].
inline model::Step toy_step() {
  model::Step step;
  step.name = "toy";
  step.inputs = {{"in", toy_layers, "1", {}}};
  step.outputs = {{"copy", toy_layers, "1", DType::f32}, {"sum", 1, "1", DType::f32}};
  step.flops_per_pixel = 3;
  return step;
}

/// Value of a layer at a pixel: every tile carries its own numbers.
inline float toy_value(std::int64_t layer, std::int64_t row, std::int64_t col) {
  return static_cast<float>(1000000 * layer + 1000 * row + col);
}

struct ToyProgram final : TileProgram {};

/// Solves on a thread of its own when `asynchronous`.
class ToyBackend final : public Backend {
 public:
  Fault fault = Fault::none;
  std::int64_t fault_tile = -1;
  bool asynchronous = false;

  ~ToyBackend() override { drain(); }
  std::string name() const override { return "toy"; }
  std::string instruction_set() const override { return ""; }
  BackendLimits limits() const override { return {}; }
  Slot allocate(std::shared_ptr<const SlotLayout> layout) override {
    return Slot(layout, allocate_host(layout->total_bytes()));
  }
  std::int64_t program_bytes(const model::Step&) const override { return 0; }
  std::unique_ptr<TileProgram> compile(const model::Step&, const SlotLayout&) override {
    return std::make_unique<ToyProgram>();
  }
  void submit(TileProgram&, Slot& slot, Completion done) override {
    if (asynchronous) {
      const std::lock_guard lock(mutex_);
      threads_.emplace_back([this, &slot, done = std::move(done)] { solve(slot, done); });
    } else {
      solve(slot, done);
    }
  }
  void drain() noexcept override {
    const std::lock_guard lock(mutex_);
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  void solve(Slot& slot, const Completion& done) const {
    if (fault == Fault::solve_reports && slot.tile == fault_tile) {
      done(Error(Errc::device, "the toy device failed"));
      return;
    }
    const auto in = slot.plane<float>(0);
    const auto copy = slot.plane<float>(1);
    const auto sum = slot.plane<float>(2);
    for (std::int64_t i = 0; i < slot.rect.pixels(); ++i) {
      sum(0, i) = 0;
      for (std::int64_t k = 0; k < toy_layers; ++k) {
        copy(k, i) = in(k, i);
        sum(0, i) += in(k, i);
      }
    }
    slot.tally[PixelStatus::ok] = slot.rect.pixels();
    done(std::nullopt);
  }

  std::mutex mutex_;
  std::vector<std::thread> threads_;
};

/// Another source, with a fault at one tile.
class FaultySource final : public io::TileSource {
 public:
  FaultySource(const io::TileSource& inner, const TileGrid& grid) : inner_(inner), grid_(grid) {}

  Fault fault = Fault::none;
  Errc fault_code = Errc::io;  ///< of fetching
  std::int64_t fault_tile = -1;

  const io::SourceInfo& describe() const override { return inner_.describe(); }
  std::int64_t raw_bytes(const TileRect& rect) const override { return inner_.raw_bytes(rect); }
  std::int64_t scratch_bytes() const override { return inner_.scratch_bytes(); }
  std::int64_t fetch(const TileRect& rect, std::span<std::byte> raw,
                     std::span<const View<float, 2>> planes) const override {
    if (fault == Fault::fetch && hit(rect)) fail(fault_code, "the toy disk failed");
    return inner_.fetch(rect, raw, planes);
  }
  io::DecodeVolume decode(const TileRect& rect, std::span<const std::byte> raw, std::span<const View<float, 2>> planes,
                          std::span<std::byte> scratch, const ParallelFor& parallel) const override {
    if (fault == Fault::decode && hit(rect)) fail(Errc::corrupt, "the toy chunk is corrupt");
    return inner_.decode(rect, raw, planes, scratch, parallel);
  }

 private:
  bool hit(const TileRect& rect) const { return fault_tile >= 0 && rect == grid_.rect(fault_tile); }

  const io::TileSource& inner_;
  TileGrid grid_;
};

/// Another sink, which fails at a write that touches one tile, or at begin().
class FaultySink final : public io::TileSink {
 public:
  FaultySink(io::MemorySink& inner, const TileGrid& grid) : inner_(inner), grid_(grid) {}

  Fault fault = Fault::none;
  std::int64_t fault_tile = -1;

  const std::vector<io::SinkPlane>& planes() const override { return inner_.planes(); }
  void begin() override {
    if (fault == Fault::begin) fail(Errc::io, "the toy disk is full");
    inner_.begin();
  }
  std::int64_t write(const io::PlaneBlock& block) override {
    if (fault == Fault::write && fault_tile >= 0) {
      const TileRect tile = grid_.rect(fault_tile);
      if (block.rect.contains(tile.row, tile.col)) fail(Errc::io, "the toy disk is full");
    }
    return inner_.write(block);
  }
  void commit(const std::vector<io::LateAttribute>& attributes) override { inner_.commit(attributes); }
  void abandon() noexcept override { inner_.abandon(); }

 private:
  io::MemorySink& inner_;
  TileGrid grid_;
};

/// Scene, tiles and everything a run needs.
struct ToyScene {
  ToyScene(std::int64_t scene_rows, std::int64_t scene_cols, std::int64_t tile_rows, std::int64_t tile_cols)
      : rows(scene_rows),
        cols(scene_cols),
        source(io::make_memory_source(
            scene_rows, scene_cols, {{"in", toy_layers, values(scene_rows, scene_cols), tile_rows, tile_cols, false}})),
        sink(scene_rows, scene_cols, {{"copy", toy_layers, DType::f32}, {"sum", 1, DType::f32}}) {
    config.tile_rows = tile_rows;
    config.tile_cols = tile_cols;
  }

  static std::vector<float> values(std::int64_t rows, std::int64_t cols) {
    std::vector<float> all;
    for (std::int64_t k = 0; k < toy_layers; ++k) {
      for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t c = 0; c < cols; ++c) all.push_back(toy_value(k, r, c));
      }
    }
    return all;
  }

  pipeline::Plan plan(pipeline::Runner runner, int threads) {
    config.runner = runner;
    constexpr std::int64_t cap = 1LL << 30;
    return pipeline::make_plan(
        {config, step, *source, sink, backend, pipeline::reference_machine(), cap, "the test", threads});
  }

  std::int64_t rows;
  std::int64_t cols;
  pipeline::Config config;
  model::Step step = toy_step();
  std::unique_ptr<io::TileSource> source;
  io::MemorySink sink;
  ToyBackend backend;
};

}  // namespace outcrop::test
