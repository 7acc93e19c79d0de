// Which device a user asked for, as a backend.
#pragma once

#include <memory>
#include <string>

#include "core/backend.hpp"
#include "gpu/backend.hpp"
#include "gpu/sim/options.hpp"

namespace outcrop::gpu {

struct DeviceRequest {
  std::string name;  ///< "sim", "cuda" or "cuda:N"
  DeviceOptions options;
  sim::Options sim;  ///< of the simulated device
};

/// The device itself; sim: what the simulated one is like. Throws: Errc::usage for another name than those of
/// DeviceRequest; Errc::device when there is no such device, saying why.
std::shared_ptr<Runtime> open_device(const std::string& name, const sim::Options& sim);

/// Throws as open_device().
std::unique_ptr<Backend> make_device_backend(const DeviceRequest& request);

/// Whether a driver of NVIDIA is loaded. Opens no library and asks no driver.
bool has_nvidia_driver();

}  // namespace outcrop::gpu
