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

/// Throws: Errc::usage for another name; Errc::device when there is no such device, saying why.
std::unique_ptr<Backend> make_device_backend(const DeviceRequest& request);

/// Why `auto` stays on the host, as the end of a sentence. Opens no library and asks no driver.
std::string why_host();

}  // namespace outcrop::gpu
