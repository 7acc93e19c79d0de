// The simulated device: real threads and queues on the host, memory of its own that is really copied to, the scalar
// pixel bodies, set rates kept by timed waits, and faults by plan. So every machine can run the device backend.
#pragma once

#include <memory>

#include "gpu/runtime.hpp"
#include "gpu/sim/options.hpp"

namespace outcrop::gpu::sim {

/// Waits for the start. Throws: Errc::cancelled when the run is to stop meanwhile.
std::shared_ptr<Runtime> make_runtime(const Options& options);

}  // namespace outcrop::gpu::sim
