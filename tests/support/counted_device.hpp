// CountedDevice: another device whose calls are counted, and which calls are of which tile.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/backend.hpp"
#include "gpu/runtime.hpp"

namespace outcrop::test {

/// Of a device, as gpu::sim::Faults numbers them.
struct Calls {
  std::int64_t allocations = 0;
  std::int64_t pinned = 0;
  std::int64_t copies = 0;
  std::int64_t kernels = 0;

  std::int64_t works() const { return copies + kernels; }
};

/// Thread-safe.
class CallCounter {
 public:
  void count(std::int64_t Calls::*kind) {
    const std::lock_guard lock(mutex_);
    ++(calls_.*kind);
  }
  Calls calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }

  /// A tile is about to be ordered.
  void begin_tile() {
    const std::lock_guard lock(mutex_);
    before_tiles_.push_back(calls_);
  }
  /// What had been called before each tile was ordered, in the order in which they were.
  std::vector<Calls> before_tiles() const {
    const std::lock_guard lock(mutex_);
    return before_tiles_;
  }

 private:
  mutable std::mutex mutex_;
  Calls calls_;
  std::vector<Calls> before_tiles_;
};

class CountedStream final : public gpu::Stream {
 public:
  CountedStream(std::unique_ptr<gpu::Stream> inner, CallCounter& counter)
      : inner_(std::move(inner)), counter_(counter) {}

  void copy_in(std::byte* device, const std::byte* host, const gpu::CopyShape& shape) override {
    counter_.count(&Calls::copies);
    inner_->copy_in(device, host, shape);
  }
  void copy_out(std::byte* host, const std::byte* device, const gpu::CopyShape& shape) override {
    counter_.count(&Calls::copies);
    inner_->copy_out(host, device, shape);
  }
  void launch(const gpu::Launch& launch) override {
    counter_.count(&Calls::kernels);
    inner_->launch(launch);
  }
  void warm_up(const gpu::BatchedSystems& systems) override { inner_->warm_up(systems); }
  void factor(const gpu::BatchedSystems& systems) override {
    counter_.count(&Calls::kernels);
    inner_->factor(systems);
  }
  void solve(const gpu::BatchedSystems& systems) override {
    counter_.count(&Calls::kernels);
    inner_->solve(systems);
  }
  void record(gpu::Event& event) override { inner_->record(event); }
  void wait() noexcept override { inner_->wait(); }

 private:
  std::unique_ptr<gpu::Stream> inner_;
  CallCounter& counter_;
};

class CountedRuntime final : public gpu::Runtime {
 public:
  /// `counter` must outlive the device.
  CountedRuntime(std::shared_ptr<gpu::Runtime> inner, CallCounter& counter)
      : inner_(std::move(inner)), counter_(counter) {}

  std::string name() const override { return inner_->name(); }
  gpu::RuntimeLimits limits() const override { return inner_->limits(); }
  std::int64_t device_bytes_free() const override { return inner_->device_bytes_free(); }
  std::byte* allocate_device(std::int64_t bytes) override {
    counter_.count(&Calls::allocations);
    return inner_->allocate_device(bytes);
  }
  void free_device(std::byte* memory) noexcept override { inner_->free_device(memory); }
  std::byte* allocate_pinned(std::int64_t bytes) override {
    counter_.count(&Calls::pinned);
    return inner_->allocate_pinned(bytes);
  }
  void free_pinned(std::byte* memory) noexcept override { inner_->free_pinned(memory); }
  std::unique_ptr<gpu::Stream> make_stream() override {
    return std::make_unique<CountedStream>(inner_->make_stream(), counter_);
  }
  std::unique_ptr<gpu::Event> make_event() override { return inner_->make_event(); }

 private:
  std::shared_ptr<gpu::Runtime> inner_;
  CallCounter& counter_;
};

/// Another backend that tells the counter when a tile begins.
class CountedBackend final : public Backend {
 public:
  CountedBackend(std::unique_ptr<Backend> inner, CallCounter& counter) : inner_(std::move(inner)), counter_(counter) {}

  std::string name() const override { return inner_->name(); }
  std::string instruction_set() const override { return inner_->instruction_set(); }
  BackendLimits limits() const override { return inner_->limits(); }
  Slot allocate(std::shared_ptr<const SlotLayout> layout) override { return inner_->allocate(std::move(layout)); }
  std::int64_t program_bytes(const model::Step& step) const override { return inner_->program_bytes(step); }
  std::int64_t slot_device_bytes(const SlotLayout& layout) const override { return inner_->slot_device_bytes(layout); }
  ProgramOnDevice program_on_device(const model::Step& step) const override { return inner_->program_on_device(step); }
  std::unique_ptr<TileProgram> compile(const model::Step& step, const SlotLayout& layout) override {
    return inner_->compile(step, layout);
  }
  void submit(TileProgram& program, Slot& slot, Completion done) override {
    counter_.begin_tile();
    inner_->submit(program, slot, std::move(done));
  }
  void drain() noexcept override { inner_->drain(); }

 private:
  std::unique_ptr<Backend> inner_;
  CallCounter& counter_;
};

}  // namespace outcrop::test
