// Engine: a part of the simulated device that does one thing at a time, at its own pace: copies in, copies out, kernels.
#pragma once

#include <chrono>
#include <mutex>
#include <thread>

namespace outcrop::gpu::sim {

class Engine {
 public:
  /// Does `work` when the engine is free, and keeps it for at least so long. Waiting takes no processor.
  template <class Work>
  void run(double seconds, Work&& work) {
    const std::lock_guard lock(mutex_);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    work();
    std::this_thread::sleep_until(end);
  }

 private:
  std::mutex mutex_;
};

}  // namespace outcrop::gpu::sim
