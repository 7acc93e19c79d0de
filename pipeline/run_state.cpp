#include "pipeline/run_state.hpp"

#include <csignal>
#include <utility>

namespace outcrop::pipeline {

void RunState::fail(Error error) {
  // What stopped because of the signal says so; the signal itself is told once, by rethrow().
  if (error.code() == Errc::cancelled && signal_.load() != 0) return;
  const std::lock_guard lock(mutex_);
  if (!first_error_) first_error_ = std::move(error);
  failed_ = true;
}

void RunState::count(const Tally& tally, std::int64_t read, std::int64_t decoded) {
  const std::lock_guard lock(mutex_);
  tally_.add(tally);
  bytes_read += read;
  bytes_decoded += decoded;
  ++tiles_done;
}

Tally RunState::tally() const {
  const std::lock_guard lock(mutex_);
  return tally_;
}

void RunState::rethrow() const {
  const std::lock_guard lock(mutex_);
  if (first_error_) throw Error(*first_error_);
  if (const int number = signal_.load(); number != 0) {
    const char* name = number == SIGINT ? "SIGINT" : number == SIGTERM ? "SIGTERM" : "SIGUSR1";
    outcrop::fail(Errc::cancelled, std::string("stopped by ") + name + "; nothing was written at a final name");
  }
}

}  // namespace outcrop::pipeline
