// What the kernel benchmarks share: a step on one slot with one instruction set, and how a benchmark is registered.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/backend.hpp"
#include "core/parallel.hpp"
#include "model/step.hpp"

namespace outcrop::bench {

/// A step compiled for one instruction set, and a slot for it.
class KernelRun {
 public:
  KernelRun(model::Step step, std::int64_t pixels, const std::string& instruction_set);

  Slot& slot() { return *slot_; }

  /// Throws: what the program reports.
  void operator()();

 private:
  SerialFor serial_;
  model::Step step_;
  std::unique_ptr<Backend> backend_;
  std::optional<Slot> slot_;
  std::unique_ptr<TileProgram> program_;
};

/// The instruction sets of this machine, the oldest first.
std::vector<std::string> instruction_sets();

/// The counter `us/px` of a benchmark whose iterations handle that many pixels.
benchmark::Counter us_a_pixel(std::int64_t pixels);

/// Registers a benchmark with repetitions. `manual_time`: the body sets the time of each iteration.
void add_benchmark(const std::string& name, bool manual_time, const std::function<void(benchmark::State&)>& body);

}  // namespace outcrop::bench
