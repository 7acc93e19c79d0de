// Contract tests on the first CUDA device; skipped (exit 77) where there is none.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "tests/support/backend_under_test.hpp"
#include "tests/support/device_backend.hpp"
#include "tests/support/host_share.hpp"

namespace outcrop::test {

std::unique_ptr<Backend> backend_under_test(const ParallelFor& parallel) {
  return device_backend("cuda", {0, {}, 0, host_share(parallel)});
}

}  // namespace outcrop::test

int main(int argc, char** argv) {
  constexpr int skipped = 77;
  try {
    outcrop::test::device_backend("cuda");
  } catch (const outcrop::Error& error) {
    std::puts(error.what());
    return skipped;
  }
  return doctest::Context(argc, argv).run();
}
