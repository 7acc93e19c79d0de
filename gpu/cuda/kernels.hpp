// Launching our kernels: the border between C++ and CUDA C++.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/launch.hpp"

namespace outcrop::gpu::cuda {

/// num_processors: of the device. Gives: what the launch itself came to; what the kernel comes to shows later.
cudaError_t launch(const Launch& launch, int num_processors, cudaStream_t stream);

/// Loads all kernels and launches one that does nothing: whether this device can run what was compiled for it.
cudaError_t launch_probe(cudaStream_t stream);

}  // namespace outcrop::gpu::cuda
