// Contract tests on the host.
#include "cpu/backend.hpp"
#include "tests/support/backend_under_test.hpp"

namespace outcrop::test {

std::unique_ptr<Backend> backend_under_test(const ParallelFor& parallel) { return cpu::make_cpu_backend(parallel); }

}  // namespace outcrop::test
