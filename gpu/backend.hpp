// The device backend: runs Steps on a device through a Runtime. Plain C++, no type of CUDA in it.
#pragma once

#include <memory>

#include "core/backend.hpp"
#include "gpu/host_share.hpp"
#include "gpu/memory.hpp"
#include "gpu/runtime.hpp"

namespace outcrop::gpu {

struct DeviceOptions {
  int queues = 0;                 ///< streams that work at once, at most; 0: one for each slot
  Warn warn;                      ///< told of what works, but not as well as it could; any thread
  std::int64_t batch_pixels = 0;  ///< whose design matrices are in memory at once, at most; 0: as memory allows
  HostShare host = {};
};

/// submit() returns at once. Slots and programs may outlive the backend, but must not be used then.
std::unique_ptr<Backend> make_backend(std::shared_ptr<Runtime> runtime, DeviceOptions options);

}  // namespace outcrop::gpu
