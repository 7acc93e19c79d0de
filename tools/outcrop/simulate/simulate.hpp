// Writing a simulated scene, tile by tile, with all processors.
#pragma once

#include <atomic>

#include "core/log.hpp"
#include "tools/outcrop/simulate/scene.hpp"

namespace outcrop::tools {

/// Writes truth_files() and input_files(). Memory is bounded whatever the size of the scene; equal options give equal
/// bytes, whatever the number of threads. Existing files of these names are replaced when all is written. `stop`: a
/// signal number, or 0 to go on. Throws: Errc::usage for options that cannot be met, Errc::io, Errc::cancelled; nothing
/// is left behind.
void simulate(const SimulateOptions& options, Log& log, const std::atomic<int>& stop);

}  // namespace outcrop::tools
