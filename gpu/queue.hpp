// Queue: a stream with its working memory: the unit of overlap. Slots that share a queue are solved one after the
// other.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "gpu/memory.hpp"
#include "gpu/runtime.hpp"

namespace outcrop::gpu {

class Queue {
 public:
  Queue(std::shared_ptr<Runtime> runtime, int number)
      : runtime_(std::move(runtime)), stream_(runtime_->make_stream()), number_(number) {}

  Stream& stream() const { return *stream_; }
  int number() const { return number_; }

  /// Held by whoever orders work for a slot, so that the work of two slots does not mix.
  std::mutex& mutex() { return mutex_; }

  /// Working memory of the programs, which the queue runs one after the other.
  std::byte* workspace() const { return workspace_.data(); }

  /// Makes the working memory at least so large. Waits. Throws: Errc::out_of_memory; the queue keeps none then.
  void reserve(std::int64_t bytes) {
    if (bytes > workspace_.bytes()) make(bytes);
  }

  /// Gives back what is more than so much. Waits. Throws: Errc::out_of_memory.
  void shrink(std::int64_t bytes) {
    if (bytes < workspace_.bytes()) make(bytes);
  }

 private:
  void make(std::int64_t bytes) {
    stream_->wait();
    workspace_.reset();
    if (bytes > 0) workspace_ = DeviceBuffer(runtime_, bytes, "working memory");
  }

  std::mutex mutex_;
  std::shared_ptr<Runtime> runtime_;
  DeviceBuffer workspace_;
  std::unique_ptr<Stream> stream_;  // before the workspace goes, the stream waits
  int number_;
};

}  // namespace outcrop::gpu
