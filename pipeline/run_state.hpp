// RunState: what the stages of one run share: the first error, the wish to stop, the counters.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

#include "core/error.hpp"
#include "core/status.hpp"
#include "core/trace.hpp"

namespace outcrop::pipeline {

/// Set from a signal handler: the number of the signal, or 0.
using StopSignal = std::atomic<int>;

/// Thread-safe.
class RunState {
 public:
  RunState(const StopSignal& signal, bool keep_spans) : trace(keep_spans), signal_(signal) {}

  /// Keeps the first error; later ones are consequences of it.
  void fail(Error error);

  /// True after an error or a signal: no new tile is begun, and what is under way does no more work.
  bool stopping() const { return failed_.load() || signal_.load() != 0; }

  void count(const Tally& tally, std::int64_t read, std::int64_t decoded);
  Tally tally() const;

  /// Throws the first error, or Errc::cancelled after a signal.
  void rethrow() const;

  Trace trace;
  std::atomic<std::int64_t> bytes_read{0};
  std::atomic<std::int64_t> bytes_decoded{0};
  std::atomic<std::int64_t> bytes_written{0};
  std::atomic<std::int64_t> tiles_done{0};

 private:
  const StopSignal& signal_;
  std::atomic<bool> failed_{false};
  mutable std::mutex mutex_;
  std::optional<Error> first_error_;
  Tally tally_;
};

}  // namespace outcrop::pipeline
