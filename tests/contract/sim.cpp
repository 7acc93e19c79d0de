// Contract tests on the simulated device.
#include "gpu/device.hpp"
#include "tests/support/backend_under_test.hpp"

namespace outcrop::test {

std::unique_ptr<Backend> backend_under_test(const ParallelFor&) { return gpu::make_device_backend({"sim", {}, {}}); }

}  // namespace outcrop::test
