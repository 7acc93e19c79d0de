// StopWish: the waits of the simulated device, which end when the run is to stop.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "core/error.hpp"

namespace outcrop::gpu::sim {

class StopWish {
 public:
  /// stop: not 0 when the run is to stop; null: it never is. Must outlive the device.
  explicit StopWish(const std::atomic<int>* stop) : stop_(stop) {}

  bool is_there() const { return stop_ != nullptr && stop_->load() != 0; }

  /// Returns after so many seconds since `start`, or soon after the wish.
  void wait(std::chrono::steady_clock::time_point start, double seconds) const {
    constexpr std::chrono::milliseconds most{20};
    const auto end = start + std::chrono::duration<double>(seconds);
    for (auto now = std::chrono::steady_clock::now(); now < end && !is_there();
         now = std::chrono::steady_clock::now()) {
      std::this_thread::sleep_for(std::min<std::chrono::duration<double>>(end - now, most));
    }
  }

  /// Throws: Errc::cancelled when the wish is there.
  void check() const {
    if (is_there()) outcrop::fail(Errc::cancelled, "the simulated device stops with the run");
  }

 private:
  const std::atomic<int>* stop_;
};

}  // namespace outcrop::gpu::sim
