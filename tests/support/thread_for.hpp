// ThreadFor: a ParallelFor on plain threads, for tests that need several workers and no scheduler.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/parallel.hpp"

namespace outcrop::test {

class ThreadFor final : public ParallelFor {
 public:
  explicit ThreadFor(int threads) : threads_(threads) {}

  int concurrency() const override { return threads_; }

  void run(std::int64_t count, const std::function<void(std::int64_t, int)>& body) const override {
    std::atomic<std::int64_t> next = 0;
    std::mutex mutex;
    std::exception_ptr first;
    std::vector<std::thread> threads;
    for (int worker = 0; worker < threads_; ++worker) {
      threads.emplace_back([&, worker] {
        try {
          for (std::int64_t i = next++; i < count; i = next++) body(i, worker);
        } catch (...) {
          const std::lock_guard lock(mutex);
          if (!first) first = std::current_exception();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    if (first) std::rethrow_exception(first);
  }

 private:
  int threads_;
};

}  // namespace outcrop::test
