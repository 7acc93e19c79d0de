// Launch: which body runs on the device, with plain parameters. A runtime calls kernel(pixel, thread) for every pixel
// (or whatever the body's items are): the simulated device in a loop, CUDA in as many threads as it has.
#pragma once

#include <cstdint>
#include <variant>

#include "gpu/programs/correct_topography.hpp"
#include "gpu/programs/invert_network.hpp"
#include "gpu/programs/network_batched.hpp"
#include "gpu/programs/normal_equations.hpp"
#include "gpu/programs/topography_batched.hpp"

namespace outcrop::gpu {

using Kernel = std::variant<NetworkKernel, TopographyKernel, TopographyAssembly, NormalKernel, TopographySolution,
                            NetworkAssembly, NetworkSolution>;

struct Launch {
  Kernel kernel;
  std::int64_t num_pixels = 0;
  std::int64_t threads = 1;  ///< at most so many pixels at once, each with a thread number below this
  double flops = 0;          ///< of all pixels; paces the simulated device
};

}  // namespace outcrop::gpu
