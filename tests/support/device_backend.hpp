// A device by its name, as a backend under test.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "gpu/backend.hpp"
#include "gpu/device.hpp"

namespace outcrop::test {

/// sim: of the simulated device. Throws as gpu::open_device().
inline std::unique_ptr<Backend> device_backend(const std::string& name, gpu::DeviceOptions options = {},
                                               const gpu::sim::Options& sim = {}) {
  return gpu::make_backend(gpu::open_device(name, sim), std::move(options));
}

}  // namespace outcrop::test
