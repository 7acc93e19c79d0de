// ParallelFor: how a stage or a backend spreads work, without knowing what spreads it.
#pragma once

#include <cstdint>
#include <functional>

namespace outcrop {

class ParallelFor {
 public:
  virtual ~ParallelFor() = default;

  /// The largest number of bodies that run at once; `worker` below is less than it.
  virtual int concurrency() const = 0;

  /// Runs body(index, worker) for every index in [0, count), each once, and returns when all are done. No two bodies
  /// that run at the same time have the same worker number, so it can select scratch memory.
  /// Throws: the first exception of a body, after the others have ended.
  virtual void run(std::int64_t count, const std::function<void(std::int64_t index, int worker)>& body) const = 0;
};

/// One after the other, on the calling thread.
class SerialFor final : public ParallelFor {
 public:
  int concurrency() const override { return 1; }
  void run(std::int64_t count, const std::function<void(std::int64_t, int)>& body) const override {
    for (std::int64_t i = 0; i < count; ++i) body(i, 0);
  }
};

}  // namespace outcrop
