#include "gpu/completion.hpp"

#include <utility>

namespace outcrop::gpu {

CompletionThread::CompletionThread() : thread_([this] { work(); }) {}

CompletionThread::~CompletionThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void CompletionThread::add(std::function<Progress()> wait, Completion done) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back({std::move(wait), std::move(done)});
  }
  changed_.notify_all();
}

void CompletionThread::drain() noexcept {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return jobs_.empty() && !busy_; });
}

void CompletionThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !jobs_.empty() || ending_; });
    if (jobs_.empty()) return;
    std::optional<Job> job = std::move(jobs_.front());
    jobs_.pop_front();
    busy_ = true;
    lock.unlock();
    Progress progress = job->wait();
    if (progress.done) {
      job->done(std::move(progress.error));
      job.reset();
    }
    lock.lock();
    if (job) jobs_.push_back(std::move(*job));
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace outcrop::gpu
