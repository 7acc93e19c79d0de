#include "gpu/queue_pool.hpp"

#include <algorithm>
#include <memory>

namespace outcrop::gpu {

std::shared_ptr<Queue> QueuePool::next() {
  const std::lock_guard lock(mutex_);
  const auto least = std::min_element(queues_.begin(), queues_.end(),
                                      [](const auto& a, const auto& b) { return a.use_count() < b.use_count(); });
  const bool is_full = static_cast<int>(queues_.size()) >= most_;
  if (least != queues_.end() && (is_full || least->use_count() == 1)) {
    (*least)->reserve(workspace_bytes_);
    return *least;
  }
  queues_.push_back(make());
  return queues_.back();
}

std::int64_t QueuePool::prepare(Program& program, std::int64_t wanted, std::int64_t fewest, std::string& short_of) {
  const std::lock_guard lock(mutex_);
  std::erase_if(queues_, [](const auto& queue) { return queue.use_count() == 1; });  // of slots that are gone
  if (queues_.empty()) queues_.push_back(make());
  program.upload(runtime_, queues_.front()->stream());
  for (std::int64_t threads = wanted;; threads = std::max(fewest, threads / 2)) {
    try {
      reserve(program, threads);
      workspace_bytes_ = std::max(workspace_bytes_, program.workspace_bytes(threads));
      return threads;
    } catch (const Error& error) {
      if (error.code() != Errc::out_of_memory) throw;
      give_back();
      if (threads <= fewest) throw;
      short_of = error.what();
    }
  }
}

std::shared_ptr<Queue> QueuePool::make() {
  auto queue = std::make_shared<Queue>(runtime_, num_made_++);
  queue->reserve(workspace_bytes_);
  return queue;
}

/// What other programs have is theirs.
void QueuePool::give_back() {
  for (const auto& queue : queues_) queue->shrink(workspace_bytes_);
  for (const auto& queue : queues_) queue->reserve(workspace_bytes_);
}

void QueuePool::reserve(Program& program, std::int64_t threads) {
  program.set_threads(threads);
  for (const auto& queue : queues_) {
    queue->reserve(program.workspace_bytes(threads));
    program.prepare(runtime_, *queue);
  }
}

}  // namespace outcrop::gpu
