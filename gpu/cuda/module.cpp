// What outcrop looks up in the module. No call of CUDA happens before it.
#include "gpu/cuda/runtime.hpp"
#include "gpu/cuda_module.hpp"

extern "C" std::shared_ptr<outcrop::gpu::Runtime>* outcrop_make_cuda_runtime(int number) {
  return new std::shared_ptr<outcrop::gpu::Runtime>(outcrop::gpu::cuda::make_runtime(number));
}
