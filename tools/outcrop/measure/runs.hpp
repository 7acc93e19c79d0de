// The rates of stages as they are inside a run, where they share memory and processors: from rehearsals.
#pragma once

#include <atomic>
#include <string>

#include "pipeline/machine.hpp"

namespace outcrop::tools {

struct RunTrial {
  std::string folder;  ///< for scenes, one after the other
  int threads = 1;
  bool quick = false;  ///< smaller scenes
};

/// Fills in the processor's rates of reading, writing and decoding, the structured kernels of both steps, and the start
/// of a run. Throws: Errc::io, Errc::cancelled after a signal.
void measure_runs(const RunTrial& trial, const std::atomic<int>& stop, pipeline::Machine& machine);

}  // namespace outcrop::tools
