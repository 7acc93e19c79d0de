// Measuring a machine: everything that its file holds.
#pragma once

#include <atomic>
#include <string>

#include "core/log.hpp"
#include "pipeline/machine.hpp"

namespace outcrop::tools {

struct MeasureOptions {
  std::string folder = ".";  ///< on the storage; a folder of its own is made there, and removed
  bool quick = false;
  bool cached = false;  ///< files in the page cache
  int threads = 1;
};

/// Takes about half a minute (`quick`: some seconds) and at most 512 MB of memory. Nothing is left behind.
/// Throws: Errc::usage when nothing can be made in the folder, Errc::io, Errc::cancelled after a signal.
pipeline::Machine measure_machine(const MeasureOptions& options, const std::atomic<int>& stop, Log& log);

}  // namespace outcrop::tools
