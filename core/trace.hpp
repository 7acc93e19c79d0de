// Trace: what each stage did for each tile, and when. Feeds the run report and the Chrome trace.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace outcrop {

/// One stage's work on one tile, by one thread.
struct Span {
  std::string stage;
  std::int64_t tile = 0;
  int thread = 0;      ///< small number, stable for a thread
  double start_s = 0;  ///< wall_s() of core/clock.hpp
  double end_s = 0;
  double cpu_s = 0;  ///< processor time of all threads that took part, where the stage knows it
  std::int64_t bytes = 0;
};

/// What all spans of one stage add up to.
struct StageTotals {
  std::string stage;
  double busy_s = 0;
  double cpu_s = 0;
  double first_start_s = 0;
  double last_end_s = 0;
  std::int64_t bytes = 0;
};

/// Thread-safe. Keeps single spans only when asked to: a run of a million tiles needs no million spans.
class Trace {
 public:
  explicit Trace(bool keep_spans) : keep_spans_(keep_spans) {}

  void record(Span span);

  std::vector<StageTotals> totals() const;
  std::vector<Span> spans() const;

 private:
  bool keep_spans_;
  mutable std::mutex mutex_;
  std::vector<StageTotals> totals_;
  std::vector<Span> spans_;
};

/// A small number for the calling thread, the same for its whole life.
int thread_number();

}  // namespace outcrop
