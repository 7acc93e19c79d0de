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
#include "tools/outcrop/measure/packing.hpp"
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

TEST_CASE("with a third trial of more columns, samples have a time of their own") {
  const auto seconds = [](double flops) { return 3e-9 * 40 + 1e-10 * flops; };
  const auto rate = kernel_rate(toy(), {100, 1, 10}, {400, seconds(400), 40}, {900, seconds(900), 40});
  CHECK(rate.pixel_s == 0);
  CHECK(rate.sample_s == doctest::Approx(3e-9));
  CHECK(rate.flops_per_s == doctest::Approx(1e10));
}

TEST_CASE("where a third trial makes no sense, the line through two stays") {
  const KernelTrial small{100, 3e-7, 10};
  const KernelTrial large{1000, 12e-7, 40};
  for (const double wide_s :
       {11e-7, 200e-7}) {  // more work in less time; so much that a sample would take less than none
    const auto rate = kernel_rate(toy(), small, large, {2000, wide_s, 40});
    CHECK(rate.sample_s == 0);
    CHECK(rate.flops_per_s == doctest::Approx(1e9));
  }
}

TEST_CASE("a packing's rates explain samples that pack well and samples that do not") {
  const double decoded_s = 1e-9;
  const double stored_s = 3e-9;
  const PackingTrial noisy{8e8, 7e8, 8e8 * decoded_s + 7e8 * stored_s};
  const PackingTrial smooth{2e8, 1e7, 2e8 * decoded_s + 1e7 * stored_s};
  const PackingRate rate = packing_rate(noisy, smooth, 1e10);
  CHECK(rate.decoded_bytes_per_s == doctest::Approx(1 / decoded_s));
  CHECK(rate.stored_bytes_per_s == doctest::Approx(1 / stored_s));
}

TEST_CASE("trials that do not tell a packing's rates apart give the bytes decoded a second") {
  const PackingTrial noisy{8e8, 7e8, 2};
  const auto expect_overall = [&](const PackingTrial& other, double bytes_per_s) {
    const PackingRate rate = packing_rate(noisy, other, 1e10);
    CHECK(rate.decoded_bytes_per_s == doctest::Approx(bytes_per_s));
    CHECK(rate.stored_bytes_per_s == 0);
  };
  expect_overall({2e8, 1.6e8, 0.1}, 1e9 / 2.1);  // alike
  expect_overall({2e8, 1e7, 0.6}, 1e9 / 2.6);    // the shorter take longer
  expect_overall({2e8, 1e8, 0.01}, 1e9 / 2.01);  // so fast that a byte decoded would take less than nothing
  expect_overall({}, 4e8);
  CHECK(packing_rate({}, {}, 1e10).decoded_bytes_per_s == 1e10);
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
