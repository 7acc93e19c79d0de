// How a device backend is set up: what the configuration says of it, and the host's share in its work.
#pragma once

#include "core/log.hpp"
#include "core/parallel.hpp"
#include "gpu/backend.hpp"
#include "gpu/device_start.hpp"
#include "pipeline/config.hpp"
#include "pipeline/run_state.hpp"

namespace outcrop::tools {

/// What the simulated device is like. `stop` ends its waits and must outlive it.
gpu::sim::Options sim_options(const pipeline::SimulatedDevice& sim, const pipeline::StopSignal& stop);

/// Lets the device of the configuration start. `stop` ends the waits of the simulated one and must outlive it.
gpu::DeviceStart begin_device(const pipeline::Config& config, const pipeline::StopSignal& stop);

/// `parallel` and the log must outlive the backend.
gpu::DeviceOptions device_options(const pipeline::Config& config, const ParallelFor& parallel, Log& log);

}  // namespace outcrop::tools
