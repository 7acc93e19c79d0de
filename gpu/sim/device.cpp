#include "gpu/sim/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>

#include "gpu/sim/potrf.hpp"
#include "model/pixel/cholesky.hpp"

namespace outcrop::gpu::sim {
namespace {

constexpr std::int64_t alignment = 256;
constexpr int bytes_of_nan = 0xff;

std::int64_t whole_bytes(std::int64_t bytes) {
  return (std::max<std::int64_t>(bytes, 1) + alignment - 1) / alignment * alignment;
}

}  // namespace

std::int64_t Device::bytes_free() const {
  const std::lock_guard lock(mutex_);
  return options_.memory_bytes - bytes_used_;
}

std::byte* Device::allocate(std::int64_t bytes) {
  const std::int64_t whole = whole_bytes(bytes);
  const std::lock_guard lock(mutex_);
  if (++num_allocations_ == options_.faults.allocation) {
    outcrop::fail(Errc::out_of_memory, fmt::format("allocation {} of the simulated device fails as planned, {} bytes",
                                                   num_allocations_, bytes));
  }
  const std::int64_t free_bytes = options_.memory_bytes - bytes_used_;
  if (whole > free_bytes) {
    outcrop::fail(Errc::out_of_memory, fmt::format("the simulated device has {} of {} bytes free; {} were asked for",
                                                   free_bytes, options_.memory_bytes, bytes));
  }
  SlotMemory memory = allocate_host(whole);
  std::memset(memory.get(), bytes_of_nan, static_cast<std::size_t>(whole));
  std::byte* const begin = memory.get();
  memory_.emplace(begin, std::move(memory));
  sizes_.emplace(begin, whole);
  bytes_used_ += whole;
  return begin;
}

void Device::free(std::byte* memory) {
  const std::lock_guard lock(mutex_);
  bytes_used_ -= sizes_.at(memory);
  sizes_.erase(memory);
  memory_.erase(memory);
}

std::byte* Device::allocate_pinned(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::int64_t nth = options_.faults.pinned;
  if (++num_pinned_ >= nth && nth > 0) {
    outcrop::fail(Errc::out_of_memory,
                  fmt::format("allocation {} of pinned memory fails as planned, {} bytes", num_pinned_, bytes));
  }
  SlotMemory memory = allocate_host(bytes);
  std::byte* const begin = memory.get();
  pinned_.emplace(begin, std::move(memory));
  return begin;
}

void Device::free_pinned(std::byte* memory) {
  const std::lock_guard lock(mutex_);
  pinned_.erase(memory);
}

bool Device::is_nth(std::int64_t& count, std::int64_t nth) {
  const std::lock_guard lock(mutex_);
  return ++count == nth;
}

void Device::copy_in(std::int64_t number, std::byte* device, const std::byte* host, const CopyShape& shape) {
  copy(in_, number, device, host, device, shape);
}

void Device::copy_out(std::int64_t number, std::byte* host, const std::byte* device, const CopyShape& shape) {
  copy(out_, number, host, device, device, shape);
}

void Device::copy(Engine& engine, std::int64_t number, std::byte* to, const std::byte* from, const std::byte* device,
                  const CopyShape& shape) {
  if (is_nth(num_copies_, options_.faults.copy)) {
    outcrop::fail(Errc::device, fmt::format("copy {} of the simulated device fails as planned", options_.faults.copy));
  }
  expect_inside(device, shape);
  const double rate = options_.copy_bytes_per_s;
  engine.run(number, rate > 0 ? static_cast<double>(shape.bytes()) / rate : 0, [&] {
    for (std::int64_t row = 0; row < shape.rows; ++row) {
      std::memcpy(to + row * shape.stride_bytes, from + row * shape.stride_bytes,
                  static_cast<std::size_t>(shape.row_bytes));
    }
  });
}

void Device::expect_inside(const std::byte* device, const CopyShape& shape) const {
  const std::lock_guard lock(mutex_);
  auto after = sizes_.upper_bound(device);
  const std::int64_t end = (shape.rows - 1) * shape.stride_bytes + shape.row_bytes;
  if (after == sizes_.begin() || (--after)->first + after->second < device + end) {
    outcrop::fail(Errc::internal, "a copy of the simulated device leaves its memory");
  }
}

template <class Work>
void Device::compute(std::int64_t number, double flops, Work&& work) {
  if (is_nth(num_kernels_, options_.faults.kernel)) {
    outcrop::fail(Errc::device,
                  fmt::format("kernel {} of the simulated device fails as planned", options_.faults.kernel));
  }
  const double rate = options_.flops_per_s;
  kernels_.run(number, options_.launch_s + (rate > 0 ? flops / rate : 0), std::forward<Work>(work));
}

void Device::run(std::int64_t number, const Launch& launch) {
  compute(number, launch.flops, [&] {
    std::visit(
        [&](const auto& kernel) {
          for (std::int64_t pixel = 0; pixel < launch.num_pixels; ++pixel) kernel(pixel, pixel % launch.threads);
        },
        launch.kernel);
  });
}

void Device::factor(std::int64_t number, const BatchedSystems& systems) {
  compute(number, 0, [&] {
    for (std::int64_t i = 0; i < systems.count; ++i) systems.info[i] = potrf(systems.size, systems.matrices[i]);
  });
}

void Device::solve(std::int64_t number, const BatchedSystems& systems) {
  compute(number, 0, [&] {
    systems.info[systems.count] = 0;
    for (std::int64_t i = 0; i < systems.count; ++i) {
      if (systems.info[i] != 0) continue;
      model::pixel::cholesky_solve(systems.size, systems.matrices[i], systems.sides[i]);
    }
  });
}

bool Device::kills_stream() { return is_nth(num_works_, options_.faults.queue); }

void Device::fail_for_good(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = error;
}

std::optional<Error> Device::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace outcrop::gpu::sim
