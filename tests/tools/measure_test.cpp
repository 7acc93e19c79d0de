// Measuring: rates are positive, signals are obeyed, and two trials make a line.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "tests/support/device_backend.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/host_share.hpp"
#include "tests/support/temp_folder.hpp"
#include "tools/outcrop/measure/device.hpp"
#include "tools/outcrop/measure/kernels.hpp"
#include "tools/outcrop/measure/rates.hpp"
#include "tools/outcrop/measure/runs.hpp"
#include "tools/outcrop/measure/storage.hpp"

using namespace outcrop;
using namespace outcrop::tools;

namespace {

constexpr std::int64_t mib = 1024 * 1024;

RateEffort little() {
  RateEffort effort;
  effort.memory_bytes = 2 * mib;
  effort.repetitions = 1;
  return effort;
}

model::Step toy() {
  model::Step step;
  step.name = "toy";
  return step;
}

}  // namespace

TEST_CASE("a kernel's rates are the line through two trials") {
  const auto rate = kernel_rate(toy(), {100, 3e-7}, {1000, 12e-7});
  CHECK(rate.flops_per_s == doctest::Approx(1e9));
  CHECK(rate.pixel_s == doctest::Approx(2e-7));
}

TEST_CASE("trials whose line would have a negative part give the rate of the larger one") {
  for (const KernelTrial small : {KernelTrial{100, 13e-7}, KernelTrial{900, 1e-7}}) {
    const auto rate = kernel_rate(toy(), small, {1000, 12e-7});
    CHECK(rate.flops_per_s == doctest::Approx(1000 / 12e-7));
    CHECK(rate.pixel_s == 0);
  }
}

TEST_CASE("a storage and the memory have rates") {
  const test::TempFolder folder;
  for (const bool cached : {false, true}) {
    pipeline::Machine machine;
    measure_storage(folder.path().string(), {4 * mib, 3, cached}, little(), machine);
    CHECK(machine.read_bytes_per_s > 0);
    CHECK(machine.read_latency_s > 0);
    CHECK(machine.read_request_cpu_s > 0);
    CHECK(machine.write_bytes_per_s > 0);
  }
  CHECK(memory_read_rate(2, little()) > 0);
  CHECK(memory_copy_rate(2, little()) > 0);
  CHECK(new_memory_rate(little()) > 0);
}

TEST_CASE("a storage that is not there is named") {
  pipeline::Machine machine;
  CHECK(test::contains(test::error_of([&] {
                         measure_storage("/absent", {mib, 1, false}, little(), machine);
                       }),
                       "/absent/samples"));
}

TEST_CASE("a device's trial adds up what its tiles took, at the device's own pace") {
  gpu::sim::Options options;
  options.copy_bytes_per_s = 2e7;
  options.launch_s = 5e-3;
  const SerialFor serial;
  const auto backend = test::device_backend("sim", {0, {}, 0, test::host_share(serial)}, options);
  const model::Step step = sample_inversion({24, 3});
  const DeviceTrial trial = try_device(*backend, step, 100);
  CHECK(trial.pixels == 300);
  CHECK(trial.launches == 3 * 2);
  CHECK(trial.copied_in_bytes >= 300.0 * 4 * 2 * static_cast<double>(step.size.pairs));
  CHECK(trial.copy_in_s >= 0.9 * trial.copied_in_bytes / 2e7);
  CHECK(trial.solve_s >= 0.9 * 6 * 5e-3);
  CHECK(trial.assemble_s == 0);
}

TEST_CASE("a device that fails while it is measured says so") {
  gpu::sim::Options options;
  options.faults.kernel = 2;
  const SerialFor serial;
  const auto backend = test::device_backend("sim", {0, {}, 0, test::host_share(serial)}, options);
  CHECK(test::contains(test::error_of([&] {
                         try_device(*backend, sample_correction({24, 3}), 100);
                       }),
                       "fails as planned"));
}

TEST_CASE("a signal ends every measurement") {
  const test::TempFolder folder;
  const std::atomic<int> stop{2};
  RateEffort effort = little();
  effort.stop = &stop;
  pipeline::Machine machine;
  const SerialFor serial;
  const auto code_of = [](const auto& measure) {
    try {
      measure();
    } catch (const Error& error) {
      return error.code();
    }
    return Errc::internal;
  };
  CHECK(code_of([&] { measure_storage(folder.path().string(), {mib, 1, false}, effort, machine); }) == Errc::cancelled);
  CHECK(code_of([&] { memory_copy_rate(1, effort); }) == Errc::cancelled);
  CHECK(code_of([&] { measure_batched_kernels({{}, {}}, serial, true, &stop); }) == Errc::cancelled);
  CHECK(code_of([&] { measure_runs({folder.path().string(), 1, true}, stop, machine); }) == Errc::cancelled);
  const auto make_sim = [&serial](bool host_assembles) {
    return test::device_backend("sim", {0, {}, 0, test::host_share(serial, host_assembles)});
  };
  CHECK(code_of([&] { measure_device(make_sim, true, &stop); }) == Errc::cancelled);
}
