// Seconds on the wall and on this thread's processor.
#pragma once

#include <ctime>

namespace outcrop {

inline double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Monotonic; only differences mean something.
inline double wall_s() { return seconds_of(CLOCK_MONOTONIC); }

/// Processor time of the calling thread.
inline double thread_cpu_s() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace outcrop
