// CompletionThread: one thread that waits for the device and tells the pipeline, errors included. No callback of the
// device's library is used: those are not called once a device has failed.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "core/backend.hpp"

namespace outcrop::gpu {

/// What a job has come to when it was called.
struct Progress {
  bool done = true;
  std::optional<Error> error = {};  ///< when it is done
};

class CompletionThread {
 public:
  CompletionThread();
  ~CompletionThread();  ///< reports what is left
  CompletionThread(const CompletionThread&) = delete;
  CompletionThread& operator=(const CompletionThread&) = delete;

  /// `wait` returns when the device has done what was ordered for a slot, or with what went wrong. When that was all,
  /// `done` is called, else `wait` again, after the jobs that were added meanwhile. In the order of the calls: of two
  /// slots the one that was submitted first is expected first. Neither may throw.
  void add(std::function<Progress()> wait, Completion done);

  /// Returns when everything that was added has been reported.
  void drain() noexcept;

 private:
  struct Job {
    std::function<Progress()> wait;
    Completion done;
  };

  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool busy_ = false;
  bool ending_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace outcrop::gpu
