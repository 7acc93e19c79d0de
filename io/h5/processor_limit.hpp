// ProcessorLimit: HDF5 1.10 loops for ever on some damaged heaps of text. While one of these lives, the process may use
// ten more seconds of processor time; then SIGPROF ends it (the program says why). Waiting for storage does not count.
#pragma once

#include <sys/time.h>

namespace outcrop::io::h5 {

class ProcessorLimit {
 public:
  ProcessorLimit() { set(seconds); }
  ~ProcessorLimit() { set(0); }
  ProcessorLimit(const ProcessorLimit&) = delete;
  ProcessorLimit& operator=(const ProcessorLimit&) = delete;

 private:
  static constexpr int seconds = 10;

  static void set(int limit_s) {
    const itimerval limit{{0, 0}, {limit_s, 0}};
    ::setitimer(ITIMER_PROF, &limit, nullptr);
  }
};

}  // namespace outcrop::io::h5
