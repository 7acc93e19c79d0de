// MeteredFor: a ParallelFor that adds up what its bodies took, over all threads.
#pragma once

#include <atomic>

#include "core/clock.hpp"
#include "core/parallel.hpp"

namespace outcrop::pipeline {

class MeteredFor final : public ParallelFor {
 public:
  explicit MeteredFor(const ParallelFor& inner) : inner_(inner) {}

  int concurrency() const override { return inner_.concurrency(); }

  void run(std::int64_t count, const std::function<void(std::int64_t, int)>& body) const override {
    inner_.run(count, [&](std::int64_t index, int worker) {
      const double wall = wall_s();
      const double cpu = thread_cpu_s();
      body(index, worker);
      busy_s_ += wall_s() - wall;
      cpu_s_ += thread_cpu_s() - cpu;
    });
  }

  double busy_s() const { return busy_s_.load(); }
  double cpu_s() const { return cpu_s_.load(); }

 private:
  const ParallelFor& inner_;
  mutable std::atomic<double> busy_s_{0};
  mutable std::atomic<double> cpu_s_{0};
};

}  // namespace outcrop::pipeline
