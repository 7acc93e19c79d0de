// QueuePool: the queues of a device. Slots share them where there are more slots than queues.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gpu/program.hpp"
#include "gpu/queue.hpp"

namespace outcrop::gpu {

/// Thread-safe. Queues last as long as the slots that have them.
class QueuePool {
 public:
  QueuePool(std::shared_ptr<Runtime> runtime, int most) : runtime_(std::move(runtime)), most_(most) {}

  int most() const { return most_; }

  /// For one slot more: one that no slot has, one more as long as there may be, else in turn. Throws:
  /// Errc::out_of_memory, Errc::device.
  std::shared_ptr<Queue> next();

  /// Uploads the program's tables and makes working memory of all queues for as many threads as there is memory for,
  /// from `wanted` down to `fewest`. `short_of` is told why there was no more. Gives: the number of threads, which the
  /// program has then. Throws: Errc::out_of_memory, Errc::device.
  std::int64_t prepare(Program& program, std::int64_t wanted, std::int64_t fewest, std::string& short_of);

 private:
  std::shared_ptr<Queue> make();
  void reserve(Program& program, std::int64_t threads);
  void give_back();

  std::shared_ptr<Runtime> runtime_;
  int most_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Queue>> queues_;
  int num_made_ = 0;
  std::int64_t workspace_bytes_ = 0;  ///< that some program wants of each
};

}  // namespace outcrop::gpu
