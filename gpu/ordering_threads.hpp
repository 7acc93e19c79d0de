// OrderingThreads: where tiles are ordered whose design matrices the host forms. That takes as long as the device takes
// for all batches but the last, and the more tiles are ordered at the same time, batch by batch in turn, the less the
// device waits for any of them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace outcrop::gpu {

class OrderingThreads {
 public:
  OrderingThreads() = default;
  ~OrderingThreads();
  OrderingThreads(const OrderingThreads&) = delete;
  OrderingThreads& operator=(const OrderingThreads&) = delete;

  /// Runs the job, which must not throw nor wait for a later one, on a thread that has nothing to do, or on a new one;
  /// where the system gives no more, after the jobs before it; at once, by the caller, where it gives none at all.
  void run(std::function<void()> job);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::size_t num_idle_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace outcrop::gpu
