// Contract tests on the simulated device.
#include "tests/support/backend_under_test.hpp"
#include "tests/support/device_backend.hpp"
#include "tests/support/host_share.hpp"

namespace outcrop::test {

std::unique_ptr<Backend> backend_under_test(const ParallelFor& parallel) {
  return device_backend("sim", {0, {}, 0, host_share(parallel)});
}

}  // namespace outcrop::test
