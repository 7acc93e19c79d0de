#include "gpu/ordering_threads.hpp"

#include <system_error>
#include <utility>

namespace outcrop::gpu {

OrderingThreads::~OrderingThreads() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void OrderingThreads::run(std::function<void()> job) {
  std::unique_lock lock(mutex_);
  if (num_idle_ <= jobs_.size()) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      if (threads_.empty()) {
        lock.unlock();
        job();
        return;
      }
      // Those that are there will take it: a worker must not wait inside a job for one that needs workers.
    }
  }
  jobs_.push_back(std::move(job));
  lock.unlock();
  changed_.notify_one();
}

void OrderingThreads::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++num_idle_;
    changed_.wait(lock, [this] { return !jobs_.empty() || ending_; });
    --num_idle_;
    if (jobs_.empty()) return;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
}

}  // namespace outcrop::gpu
