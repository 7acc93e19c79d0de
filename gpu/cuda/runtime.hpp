// The runtime of one CUDA device.
#pragma once

#include <memory>

#include "gpu/runtime.hpp"

namespace outcrop::gpu::cuda {

/// Throws: Errc::device when there is no such device, or it cannot run our kernels: with the versions of driver and
/// runtime, or with the architecture.
std::shared_ptr<Runtime> make_runtime(int number);

}  // namespace outcrop::gpu::cuda
