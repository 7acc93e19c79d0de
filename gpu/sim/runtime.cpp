#include "gpu/sim/runtime.hpp"

#include "gpu/sim/device.hpp"
#include "gpu/sim/stop_wish.hpp"
#include "gpu/sim/stream.hpp"

namespace outcrop::gpu::sim {
namespace {

/// Pixels with working memory of their own: enough that a mix-up of threads shows, few enough for the cache.
constexpr std::int64_t num_threads = 64;

class SimRuntime final : public Runtime {
 public:
  explicit SimRuntime(const Options& options) : device_(std::make_shared<Device>(options)) {}

  std::string name() const override { return "sim"; }

  RuntimeLimits limits() const override {
    RuntimeLimits limits;
    limits.threads = num_threads;
    limits.memory_is_host = true;
    limits.copy_bytes_per_s = device_->options().copy_bytes_per_s;
    limits.flops_per_s = device_->options().flops_per_s;
    limits.launch_s = device_->options().launch_s;
    limits.start_s = device_->options().start_s;
    return limits;
  }

  std::int64_t device_bytes_free() const override { return device_->bytes_free(); }

  std::byte* allocate_device(std::int64_t bytes) override { return device_->allocate(bytes); }
  void free_device(std::byte* memory) noexcept override { device_->free(memory); }
  std::byte* allocate_pinned(std::int64_t bytes) override { return device_->allocate_pinned(bytes); }
  void free_pinned(std::byte* memory) noexcept override { device_->free_pinned(memory); }

  std::unique_ptr<Stream> make_stream() override { return std::make_unique<SimStream>(device_); }
  std::unique_ptr<Event> make_event() override { return std::make_unique<SimEvent>(); }

 private:
  std::shared_ptr<Device> device_;
};

}  // namespace

std::shared_ptr<Runtime> make_runtime(const Options& options) {
  const StopWish stop(options.stop);
  stop.wait(std::chrono::steady_clock::now(), options.start_s);
  if (stop.is_there()) {
    outcrop::fail(Errc::cancelled, "stopped by a signal while the simulated device started; nothing was written");
  }
  return std::make_shared<SimRuntime>(options);
}

}  // namespace outcrop::gpu::sim
