// Launch: which body runs on the device, with plain parameters. A runtime calls kernel(pixel, thread) for every pixel:
// the simulated device in a loop, CUDA in as many threads as it has.
#pragma once

#include <cstdint>
#include <variant>

#include "gpu/programs/correct_topography.hpp"
#include "gpu/programs/invert_network.hpp"

namespace outcrop::gpu {

using Kernel = std::variant<NetworkKernel, TopographyKernel>;

struct Launch {
  Kernel kernel;
  std::int64_t num_pixels = 0;
  std::int64_t threads = 1;  ///< at most so many pixels at once, each with a thread number below this
  double flops = 0;          ///< of all pixels; paces the simulated device
};

}  // namespace outcrop::gpu
