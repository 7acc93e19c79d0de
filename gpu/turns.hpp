// Turns: a lock that goes to who has waited longest. With one that goes to anybody a tile could have all turns, and the
// device would work on nothing but that tile.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace outcrop::gpu {

/// For std::lock_guard.
class Turns {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    const std::uint64_t mine = next_++;
    changed_.wait(lock, [&] { return mine == now_; });
  }

  void unlock() {
    {
      const std::lock_guard lock(mutex_);
      ++now_;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;
  std::uint64_t now_ = 0;
};

}  // namespace outcrop::gpu
