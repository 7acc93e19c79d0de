// The kernels: a thread takes one pixel after the other, with working memory of its own.
#include "gpu/cuda/kernels.hpp"

#include <cstdint>
#include <variant>

namespace outcrop::gpu::cuda {
namespace {

constexpr int block_threads = 128;

template <class Body>
__global__ void run(const Body body, std::int64_t num_pixels, std::int64_t threads) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  for (std::int64_t pixel = thread; pixel < num_pixels; pixel += threads) body(pixel, thread);
}

__global__ void probe() {}

}  // namespace

cudaError_t launch(const Launch& launch, cudaStream_t stream) {
  const std::int64_t threads = launch.threads < launch.num_pixels ? launch.threads : launch.num_pixels;
  const auto blocks = static_cast<unsigned>((threads + block_threads - 1) / block_threads);
  std::visit(
      [&](const auto& body) { run<<<blocks, block_threads, 0, stream>>>(body, launch.num_pixels, launch.threads); },
      launch.kernel);
  return cudaPeekAtLastError();
}

cudaError_t launch_probe(cudaStream_t stream) {
  probe<<<1, 1, 0, stream>>>();
  return cudaPeekAtLastError();
}

}  // namespace outcrop::gpu::cuda
