// What CUDA's calls say, as our errors.
#pragma once

#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <fmt/format.h>

#include "core/error.hpp"

namespace outcrop::gpu::cuda {

/// Throws with what was being done and what the library says: Errc::out_of_memory, Errc::device.
inline void check(cudaError_t code, const char* doing) {
  if (code == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // an error that is not for good must not be reported again by the next call
  fail(code == cudaErrorMemoryAllocation ? Errc::out_of_memory : Errc::device,
       fmt::format("{}: {} ({})", doing, cudaGetErrorString(code), cudaGetErrorName(code)));
}

/// The library's status says little; what CUDA said to the library says more.
inline void check(cusolverStatus_t code, const char* doing) {
  if (code == CUSOLVER_STATUS_SUCCESS) return;
  const cudaError_t cause = cudaGetLastError();
  const bool is_memory = code == CUSOLVER_STATUS_ALLOC_FAILED || cause == cudaErrorMemoryAllocation;
  fail(is_memory ? Errc::out_of_memory : Errc::device,
       fmt::format("{}: cuSOLVER says {} (CUDA: {})", doing, static_cast<int>(code), cudaGetErrorString(cause)));
}

/// In destructors and on the way out of an error, where nothing can be done about another one.
inline void ignore(cudaError_t code) noexcept {
  if (code != cudaSuccess) static_cast<void>(cudaGetLastError());
}

}  // namespace outcrop::gpu::cuda
