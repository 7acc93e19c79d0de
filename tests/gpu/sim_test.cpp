// The simulated device keeps its promises: memory of its own, order, set rates, and faults at the call that was
// planned.
#include <doctest/doctest.h>

#include <vector>

#include "core/clock.hpp"
#include "gpu/sim/runtime.hpp"
#include "tests/support/error_text.hpp"

using namespace outcrop;
using gpu::CopyShape;
using gpu::sim::Options;

namespace {

constexpr std::int64_t num_bytes = 4096;

/// A stream with an event and a block of device memory.
struct Bench {
  explicit Bench(const Options& options = {})
      : runtime(gpu::sim::make_runtime(options)), stream(runtime->make_stream()), event(runtime->make_event()) {
    device = runtime->allocate_device(num_bytes);
  }
  ~Bench() {
    stream->wait();
    runtime->free_device(device);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void finish() {
    stream->record(*event);
    event->wait();
  }

  std::shared_ptr<gpu::Runtime> runtime;
  std::unique_ptr<gpu::Stream> stream;
  std::unique_ptr<gpu::Event> event;
  std::byte* device = nullptr;
};

std::vector<std::byte> pattern(std::int64_t size) {
  std::vector<std::byte> bytes;
  for (std::int64_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(i * 7 % 251));
  return bytes;
}

}  // namespace

TEST_CASE("what is copied in comes out again, and no byte beside it") {
  Bench b;
  const std::vector<std::byte> in = pattern(num_bytes);
  std::vector<std::byte> out(num_bytes, std::byte{9});
  const CopyShape whole{1, num_bytes, num_bytes};
  const CopyShape columns{16, 100, 256};
  b.stream->copy_in(b.device, in.data(), whole);
  b.stream->copy_out(out.data(), b.device, columns);
  b.finish();
  for (std::size_t i = 0; i < out.size(); ++i) CHECK(out[i] == (i % 256 < 100 ? in[i] : std::byte{9}));
}

TEST_CASE("device memory is the device's own, and not clean") {
  Bench b;
  std::vector<std::byte> out(8);
  b.stream->copy_out(out.data(), b.device, {1, 8, 8});
  b.finish();
  CHECK(out == std::vector<std::byte>(8, std::byte{0xff}));
}

TEST_CASE("more memory than the device has is refused with the bytes, and what is freed can be had again") {
  Options options;
  options.memory_bytes = 2 * num_bytes;
  Bench b(options);
  CHECK(b.runtime->device_bytes_free() == num_bytes);
  const std::string text = test::error_of([&] { b.runtime->allocate_device(num_bytes + 1); });
  CHECK(test::contains(text, "4096 of 8192 bytes free"));
  CHECK(test::contains(text, "4097 were asked for"));
  std::byte* const rest = b.runtime->allocate_device(num_bytes);
  b.runtime->free_device(rest);
  CHECK(b.runtime->device_bytes_free() == num_bytes);
}

TEST_CASE("a copy takes as long as the set rate says, and copies of both ways go on at once") {
  Options options;
  options.copy_bytes_per_s = 4096 / 0.05;
  Bench b(options);
  const auto other = b.runtime->make_stream();
  const auto other_event = b.runtime->make_event();
  std::byte* const other_memory = b.runtime->allocate_device(num_bytes);
  std::vector<std::byte> in = pattern(num_bytes);
  std::vector<std::byte> out(num_bytes);
  const CopyShape whole{1, num_bytes, num_bytes};
  const double start_s = wall_s();
  b.stream->copy_in(b.device, in.data(), whole);
  b.stream->copy_in(b.device, in.data(), whole);
  other->copy_out(out.data(), other_memory, whole);
  other->copy_out(out.data(), other_memory, whole);
  other->record(*other_event);
  b.finish();
  CHECK(wall_s() - start_s >= 0.1);
  other_event->wait();
  // One after the other they would take 0.2 s; the first of both are under way together.
  CHECK(other_event->reached_s() - b.event->reached_s() < 0.06);
  b.runtime->free_device(other_memory);
}

TEST_CASE("the planned copy fails, the device with it, and everyone who waits learns why") {
  Options options;
  options.faults.copy = 2;
  Bench b(options);
  const std::vector<std::byte> in = pattern(num_bytes);
  const CopyShape whole{1, num_bytes, num_bytes};
  b.stream->copy_in(b.device, in.data(), whole);
  b.finish();
  b.stream->copy_in(b.device, in.data(), whole);
  CHECK(test::contains(test::error_of([&] { b.finish(); }), "copy 2 of the simulated device fails as planned"));
  CHECK(test::contains(test::error_of([&] { b.stream->copy_in(b.device, in.data(), whole); }), "as planned"));
  const auto other = b.runtime->make_stream();
  CHECK(test::contains(test::error_of([&] { other->record(*b.event); }), "as planned"));
}

TEST_CASE("a stream that dies does nothing more, and the others live on") {
  Options options;
  options.faults.queue = 2;
  Bench b(options);
  const std::vector<std::byte> in = pattern(num_bytes);
  std::vector<std::byte> out(num_bytes);
  const CopyShape whole{1, num_bytes, num_bytes};
  b.stream->copy_in(b.device, in.data(), whole);
  b.stream->wait();
  b.stream->copy_in(b.device, in.data(), whole);
  CHECK(test::contains(test::error_of([&] { b.finish(); }), "a queue of the simulated device died"));
  const auto other = b.runtime->make_stream();
  other->copy_out(out.data(), b.device, whole);
  const auto event = b.runtime->make_event();
  other->record(*event);
  CHECK_NOTHROW(event->wait());
  CHECK(out == in);
}

TEST_CASE("pinned memory runs out at the planned allocation and stays out") {
  Options options;
  options.faults.pinned = 2;
  Bench b(options);
  std::byte* const first = b.runtime->allocate_pinned(10);
  for (int i = 0; i < 2; ++i) {
    CHECK(test::contains(test::error_of([&] { b.runtime->allocate_pinned(10); }), "pinned memory fails as planned"));
  }
  b.runtime->free_pinned(first);
}

TEST_CASE("a copy that leaves its memory is an error, not a crash") {
  Bench b;
  const std::vector<std::byte> in = pattern(2 * num_bytes);
  b.stream->copy_in(b.device + 1, in.data(), {1, num_bytes, num_bytes});
  CHECK(test::contains(test::error_of([&] { b.finish(); }), "leaves its memory"));
}
