// What CUDA's calls say, as our errors.
#pragma once

#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <fmt/format.h>

#include <cstddef>

#include "core/error.hpp"

namespace outcrop::gpu::cuda {

/// Throws with what was being done and what the library says: Errc::out_of_memory, Errc::device.
inline void check(cudaError_t code, const char* doing) {
  if (code == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // an error that is not for good must not be reported again by the next call
  fail(code == cudaErrorMemoryAllocation ? Errc::out_of_memory : Errc::device,
       fmt::format("{}: {} ({})", doing, cudaGetErrorString(code), cudaGetErrorName(code)));
}

/// In destructors and on the way out of an error, where nothing can be done about another one.
inline void ignore(cudaError_t code) noexcept {
  if (code != cudaSuccess) static_cast<void>(cudaGetLastError());
}

/// The same of cuSOLVER, which has a CUDA runtime of its own: what that met stays there, and short of memory the
/// library says one thing or another.
inline void check(cusolverStatus_t code, const char* doing) {
  constexpr std::size_t little = std::size_t{256} << 20;  // for code and workspace
  if (code == CUSOLVER_STATUS_SUCCESS) return;
  std::size_t free_bytes = 0;
  std::size_t total = 0;
  const cudaError_t told = cudaMemGetInfo(&free_bytes, &total);
  ignore(told);
  const bool is_memory = code == CUSOLVER_STATUS_ALLOC_FAILED || (told == cudaSuccess && free_bytes < little);
  fail(is_memory ? Errc::out_of_memory : Errc::device,
       fmt::format("{}: cuSOLVER says {}, with {} of {} bytes of the device free", doing, static_cast<int>(code),
                   free_bytes, total));
}

}  // namespace outcrop::gpu::cuda
