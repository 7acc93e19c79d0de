// Whether a device can be used, and why not.
#pragma once

#include <memory>
#include <string>

#include "core/backend.hpp"

namespace outcrop::gpu {

/// Empty when a CUDA device can be used; else one sentence that says why not.
std::string why_no_device();

/// Throws Errc::device with that sentence.
std::unique_ptr<Backend> make_device_backend(const std::string& device);

}  // namespace outcrop::gpu
