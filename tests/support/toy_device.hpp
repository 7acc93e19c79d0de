// A device for plans: it says its rates, and that it has memory of its own.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "tests/support/toy_run.hpp"

namespace outcrop::test {

class ToyDevice final : public Backend {
 public:
  std::string title = "toy device";
  double copy_bytes_per_s = 1e6;
  double flops_per_s = 1e6;
  double launch_s = 0.01;
  double start_s = 0;
  std::int64_t memory_bytes = 1 << 30;
  ProgramOnDevice program;

  std::string name() const override { return title; }
  std::string instruction_set() const override { return ""; }
  BackendLimits limits() const override {
    BackendLimits limits;
    limits.is_device = true;
    limits.device_bytes_free = memory_bytes;
    limits.num_queues = 4;
    limits.copy_bytes_per_s = copy_bytes_per_s;
    limits.flops_per_s = flops_per_s;
    limits.launch_s = launch_s;
    limits.start_s = start_s;
    return limits;
  }
  Slot allocate(std::shared_ptr<const SlotLayout> layout) override { return host_.allocate(std::move(layout)); }
  std::int64_t program_bytes(const model::Step&) const override { return 0; }
  std::int64_t slot_device_bytes(const SlotLayout& layout) const override { return layout.total_bytes(); }
  ProgramOnDevice program_on_device(const model::Step&) const override { return program; }
  std::unique_ptr<TileProgram> compile(const model::Step& step, const SlotLayout& layout) override {
    return host_.compile(step, layout);
  }
  void submit(TileProgram& toy, Slot& slot, Completion done) override { host_.submit(toy, slot, std::move(done)); }
  void drain() noexcept override {}

 private:
  ToyBackend host_;
};

}  // namespace outcrop::test
