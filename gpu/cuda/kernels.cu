// The kernels: a thread takes one pixel after the other, with working memory of its own.
#include "gpu/cuda/kernels.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <variant>

namespace outcrop::gpu::cuda {
namespace {

/// Small ones spread few threads over all processors; of large ones a processor takes more at once.
constexpr int few_block_threads = 32;
constexpr int block_threads = 128;

/// Large blocks that each processor should get.
constexpr std::int64_t blocks_a_processor = 4;

/// Of a grid in its first direction.
constexpr std::int64_t most_blocks = std::numeric_limits<std::int32_t>::max();

/// What a launch can hand over by value on every device.
constexpr std::size_t most_parameter_bytes = 4096;

template <class Body>
__global__ void run(const Body body, std::int64_t num_pixels, std::int64_t threads) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  for (std::int64_t pixel = thread; pixel < num_pixels; pixel += threads) body(pixel, thread);
}

__global__ void probe() {}

/// Kernels are loaded when they are first asked for, which may wait for all that runs: not in the middle of tiles.
template <class... Bodies>
cudaError_t load(const std::variant<Bodies...>* /*kernels*/) {
  static_assert(((sizeof(Bodies) + 2 * sizeof(std::int64_t) <= most_parameter_bytes) && ...));
  cudaFuncAttributes attributes{};
  cudaError_t code = cudaSuccess;
  ((code = code == cudaSuccess ? cudaFuncGetAttributes(&attributes, run<Bodies>) : code), ...);
  return code;
}

}  // namespace

cudaError_t launch(const Launch& launch, int num_processors, cudaStream_t stream) {
  const std::int64_t threads = std::min({launch.threads, launch.num_pixels, most_blocks * few_block_threads});
  const int block = threads < blocks_a_processor * block_threads * num_processors ? few_block_threads : block_threads;
  const auto blocks = static_cast<unsigned>((threads + block - 1) / block);
  std::visit([&](const auto& body) { run<<<blocks, block, 0, stream>>>(body, launch.num_pixels, threads); },
             launch.kernel);
  return cudaGetLastError();
}

cudaError_t launch_probe(cudaStream_t stream) {
  const cudaError_t loaded = load(static_cast<const Kernel*>(nullptr));
  if (loaded != cudaSuccess) return loaded;
  probe<<<1, 1, 0, stream>>>();
  return cudaGetLastError();
}

}  // namespace outcrop::gpu::cuda
