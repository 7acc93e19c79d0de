// The CUDA runtime, from a module that is opened only when a CUDA device is wanted: cuSOLVER alone takes 260 MB and
// some tenths of a second, even when nothing of it is called.
#pragma once

#include <memory>

#include "gpu/runtime.hpp"

namespace outcrop::gpu {

/// Device `number` of the CUDA driver. Throws: Errc::device when the module, the driver or the device is not there, or
/// when the device cannot run our kernels.
std::shared_ptr<Runtime> open_cuda(int number);

/// What the module gives: `extern "C"`, under this name.
using MakeCudaRuntime = std::shared_ptr<Runtime>* (*)(int number);
inline constexpr const char* make_cuda_runtime_name = "outcrop_make_cuda_runtime";

}  // namespace outcrop::gpu
