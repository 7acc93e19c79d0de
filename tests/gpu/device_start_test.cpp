// A device that starts beside other work, and waits of the simulated device that end with the run.
#include "gpu/device_start.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "gpu/device.hpp"
#include "gpu/sim/runtime.hpp"
#include "tests/support/error_text.hpp"

using namespace outcrop;
using gpu::DeviceStart;
using gpu::sim::Options;

namespace {

/// More than any wait of a test may take, less than ctest allows.
constexpr double forever_s = 1e9;
constexpr double soon_s = 10;

Errc code_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

}  // namespace

TEST_CASE("a device starts while something else is done, and is then the one that is opened") {
  Options options;
  options.start_s = 0.2;
  const double before_s = wall_s();
  const DeviceStart start("sim", options);
  CHECK(start.under_way());
  CHECK(wall_s() - before_s < options.start_s);
  const auto runtime = start.open("sim");
  CHECK(wall_s() - before_s >= options.start_s);
  CHECK_FALSE(start.under_way());
  CHECK(start.open("sim") == runtime);
}

TEST_CASE("nothing begins for the host, nor for a device that takes no time to start") {
  for (const char* name : {"auto", "cpu", "sim"}) {
    CAPTURE(name);
    CHECK_FALSE(DeviceStart(name, {}).under_way());
  }
  CHECK(DeviceStart("sim", {}).open("sim")->name() == "sim");
  CHECK(DeviceStart("auto", {}).open("sim")->name() == "sim");
}

TEST_CASE("what is wrong with a device is said when it is opened, in the same words as without a head start") {
  for (const char* name : {"abacus", "cuda:x", "cuda:77"}) {
    CAPTURE(name);
    const std::string expected = test::error_of([&] { gpu::open_device(name, {}); });
    CHECK_FALSE(expected.empty());
    const DeviceStart start(name, {});
    CHECK(test::error_of([&] { start.open(name); }) == expected);
  }
}

TEST_CASE("a device that is starting gives up when the run is to stop") {
  std::atomic<int> stop{0};
  Options options;
  options.start_s = forever_s;
  options.stop = &stop;
  const double before_s = wall_s();
  const DeviceStart start("sim", options);
  stop = 2;
  CHECK(code_of([&] { start.open("sim"); }) == Errc::cancelled);
  CHECK(wall_s() - before_s < soon_s);
}

TEST_CASE("copies and kernels that would take for ever end when the run is to stop, and those behind them") {
  std::atomic<int> stop{0};
  Options options;
  options.copy_bytes_per_s = 1e-6;
  options.stop = &stop;
  const auto runtime = gpu::sim::make_runtime(options);
  const auto stream = runtime->make_stream();
  const auto other = runtime->make_stream();
  const auto event = runtime->make_event();
  const auto other_event = runtime->make_event();
  std::byte* const device = runtime->allocate_device(100);
  std::vector<std::byte> host(100);
  const double before_s = wall_s();
  stream->copy_in(device, host.data(), {1, 100, 100});
  stream->record(*event);
  other->copy_in(device, host.data(), {1, 100, 100});
  other->record(*other_event);
  stop = 2;
  CHECK(code_of([&] { event->wait(); }) == Errc::cancelled);
  CHECK(code_of([&] { other_event->wait(); }) == Errc::cancelled);
  CHECK(code_of([&] { stream->copy_in(device, host.data(), {1, 1, 1}); }) == Errc::cancelled);
  CHECK(wall_s() - before_s < soon_s);
  runtime->free_device(device);
}
