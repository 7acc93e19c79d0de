// Engine: a part of the simulated device that does one thing at a time, at its own pace: copies in, copies out,
// kernels.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>

#include "gpu/sim/stop_wish.hpp"

namespace outcrop::gpu::sim {

/// Of what waits it takes what was ordered first, as devices do: else the tiles would all be half copied in and none
/// ready to be solved.
class Engine {
 public:
  explicit Engine(const StopWish& stop) : stop_(stop) {}

  /// Does `work` when it is its turn, and keeps the engine for at least so long. Waiting takes no processor. number: of
  /// the order. Throws: Errc::cancelled when the run is to stop.
  template <class Work>
  void run(std::int64_t number, double seconds, Work&& work) {
    const Turn turn(*this, number);
    const auto start = std::chrono::steady_clock::now();
    stop_.check();
    work();
    stop_.wait(start, seconds);
    stop_.check();
  }

 private:
  class Turn {
   public:
    Turn(Engine& engine, std::int64_t number) : engine_(engine) {
      std::unique_lock lock(engine_.mutex_);
      engine_.waiting_.insert(number);
      engine_.changed_.wait(lock, [&] { return !engine_.busy_ && *engine_.waiting_.begin() == number; });
      engine_.waiting_.erase(number);
      engine_.busy_ = true;
    }
    ~Turn() {
      {
        const std::lock_guard lock(engine_.mutex_);
        engine_.busy_ = false;
      }
      engine_.changed_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Engine& engine_;
  };

  const StopWish& stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::int64_t> waiting_;
  bool busy_ = false;
};

}  // namespace outcrop::gpu::sim
