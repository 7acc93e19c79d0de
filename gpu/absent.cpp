// The answer of a program that was built without a device backend.
#include "gpu/device.hpp"

namespace outcrop::gpu {

std::string why_no_device() { return "this outcrop was built without a device backend"; }

std::unique_ptr<Backend> make_device_backend(const std::string& device) {
  fail(Errc::device, "--device " + device + ": " + why_no_device() + "; --device cpu runs on the host");
}

}  // namespace outcrop::gpu
