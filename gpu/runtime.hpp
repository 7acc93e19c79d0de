// The seam between the device backend and what drives a device: memory, streams, copies, events, launches. Two runtimes
// stand behind it: gpu/cuda and the simulated device of gpu/sim. No type of CUDA appears here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "gpu/launch.hpp"

namespace outcrop::gpu {

/// A rectangle of bytes to copy: `rows` runs of `row_bytes`, `stride_bytes` apart on both sides.
struct CopyShape {
  std::int64_t rows = 1;
  std::int64_t row_bytes = 0;
  std::int64_t stride_bytes = 0;

  std::int64_t bytes() const { return rows * row_bytes; }
};

/// Linear systems that are solved together, each with one right-hand side. All pointers are of the device.
struct BatchedSystems {
  std::int32_t size = 0;
  std::int64_t count = 0;
  double** matrices = nullptr;   ///< [count] positive definite [size, size], column after column, the lower triangle
  double** sides = nullptr;      ///< [count] right-hand sides [size]
  std::int32_t* info = nullptr;  ///< [count + 1]
};

/// A point in a stream. Belongs to the stream that recorded it last; destroyed only when that has got there.
class Event {
 public:
  virtual ~Event() = default;

  /// Returns when all work before the event is done. Throws: Errc::device when some of it failed or never will be done.
  virtual void wait() = 0;

  /// wall_s() when the event was reached. Expects: wait() has returned.
  virtual double reached_s() const = 0;
};

/// Work in order. The calls return before the work is done, unless host memory is pageable; host and device memory must
/// stay as they are until an event after it has been waited for. One thread at a time.
/// Throw: Errc::device once the device or the stream has failed.
class Stream {
 public:
  virtual ~Stream() = default;  ///< waits

  virtual void copy_in(std::byte* device, const std::byte* host, const CopyShape& shape) = 0;
  virtual void copy_out(std::byte* host, const std::byte* device, const CopyShape& shape) = 0;
  virtual void launch(const Launch& launch) = 0;

  /// Starts the library behind factor() and solve() and has it solve systems like these, which need not mean anything:
  /// what takes time and memory happens before the first tile. Waits. Throws: Errc::out_of_memory, Errc::device.
  virtual void warm_up(const BatchedSystems& systems) = 0;

  /// Cholesky's factor of each matrix, in place; info says of each: 0, or the first column whose pivot is not positive,
  /// from 1, from which on the factor means nothing.
  virtual void factor(const BatchedSystems& systems) = 0;

  /// By the factors: the right-hand sides become the unknowns. Nothing is promised of systems whose info is not 0. The
  /// last number of info is the library's own.
  virtual void solve(const BatchedSystems& systems) = 0;

  virtual void record(Event& event) = 0;

  /// Returns when nothing is under way, whether it succeeded or not.
  virtual void wait() noexcept = 0;
};

struct RuntimeLimits {
  std::int64_t threads = 1;     ///< pixels that the device works on at once
  bool memory_is_host = false;  ///< device memory is memory of this process: the simulated device
  std::int64_t host_bytes = 0;  ///< host memory that the runtime itself holds
  double copy_bytes_per_s = 0;  ///< each way; 0: not known
  double flops_per_s = 0;       ///< 0: not known
  double launch_s = 0;          ///< before each kernel
  double start_s = 0;           ///< that it took to start; 0: not known
};

/// Thread-safe. Outlives everything it has made.
class Runtime {
 public:
  virtual ~Runtime() = default;

  virtual std::string name() const = 0;  ///< "sim", "cuda:0 NVIDIA ..."
  virtual RuntimeLimits limits() const = 0;
  virtual std::int64_t device_bytes_free() const = 0;

  /// Device memory, aligned to 256 bytes, not cleared. Throws: Errc::out_of_memory with the bytes.
  virtual std::byte* allocate_device(std::int64_t bytes) = 0;
  virtual void free_device(std::byte* memory) noexcept = 0;

  /// Host memory that the device copies from by itself. Throws: Errc::out_of_memory with the bytes.
  virtual std::byte* allocate_pinned(std::int64_t bytes) = 0;
  virtual void free_pinned(std::byte* memory) noexcept = 0;

  virtual std::unique_ptr<Stream> make_stream() = 0;
  virtual std::unique_ptr<Event> make_event() = 0;
};

}  // namespace outcrop::gpu
