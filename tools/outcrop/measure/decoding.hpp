// How fast chunks become planes, from small stacks of simulated samples.
#pragma once

#include <atomic>
#include <string>

#include "core/parallel.hpp"
#include "pipeline/machine.hpp"

namespace outcrop::tools {

/// Fills in the decode rates. Small files are made in `folder`, and stay. `quick`: smaller ones.
/// Throws: Errc::io, Errc::cancelled.
void measure_decoding(const std::string& folder, const ParallelFor& parallel, bool quick, const std::atomic<int>& stop,
                      pipeline::Machine& machine);

}  // namespace outcrop::tools
