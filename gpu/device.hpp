// Devices by the names that users give them.
#pragma once

#include <memory>
#include <string>

#include "gpu/runtime.hpp"
#include "gpu/sim/options.hpp"

namespace outcrop::gpu {

/// "sim", "cuda", which is the first, or "cuda:N"; sim: what the simulated device is like. Throws: Errc::usage for
/// another name; Errc::device when there is no such device. Both say what was found; the caller knows the flag and what
/// to do.
std::shared_ptr<Runtime> open_device(const std::string& name, const sim::Options& sim);

/// Whether a driver of NVIDIA is loaded, or may be that of Windows under its Linux. Opens no library and asks no
/// driver.
bool has_nvidia_driver();

}  // namespace outcrop::gpu
