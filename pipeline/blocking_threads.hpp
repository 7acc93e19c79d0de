// BlockingThreads: threads that may wait for storage, so that the workers of the graph never do.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace outcrop::pipeline {

/// Jobs run in the order they were posted, several at once; they must not throw. The destructor runs what is left.
class BlockingThreads {
 public:
  explicit BlockingThreads(int count);
  ~BlockingThreads();
  BlockingThreads(const BlockingThreads&) = delete;
  BlockingThreads& operator=(const BlockingThreads&) = delete;

  void post(std::function<void()> job);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace outcrop::pipeline
