// Device: memory, engines and faults of the simulated device; its streams share it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "core/error.hpp"
#include "core/slot.hpp"
#include "gpu/runtime.hpp"
#include "gpu/sim/engine.hpp"
#include "gpu/sim/options.hpp"

namespace outcrop::gpu::sim {

/// Thread-safe.
class Device {
 public:
  explicit Device(const Options& options) : options_(options), stop_(options.stop) {}

  const Options& options() const { return options_; }
  std::int64_t bytes_free() const;

  /// Filled with bytes that are NaN as floats: nobody may rely on what was there.
  std::byte* allocate(std::int64_t bytes);
  void free(std::byte* memory);
  std::byte* allocate_pinned(std::int64_t bytes);
  void free_pinned(std::byte* memory);

  /// Of the next order, over all streams.
  std::int64_t next_number() { return ++next_number_; }

  // What a stream's thread calls for the order of that number. Throw: Errc::device, Errc::cancelled.
  void copy_in(std::int64_t number, std::byte* device, const std::byte* host, const CopyShape& shape);
  void copy_out(std::int64_t number, std::byte* host, const std::byte* device, const CopyShape& shape);
  void run(std::int64_t number, const Launch& launch);
  void factor(std::int64_t number, const BatchedSystems& systems);
  void solve(std::int64_t number, const BatchedSystems& systems);

  /// Whether the next piece of work kills its stream.
  bool kills_stream();

  /// The device has failed for good; the first error stays.
  void fail_for_good(const Error& error);
  std::optional<Error> failure() const;

 private:
  void copy(Engine& engine, std::int64_t number, std::byte* to, const std::byte* from, const std::byte* device,
            const CopyShape& shape);

  /// A kernel, of our own or of a library.
  template <class Work>
  void compute(std::int64_t number, double flops, Work&& work);

  void expect_inside(const std::byte* device, const CopyShape& shape) const;

  /// Counts a call. Gives: whether it is the one that is to fail.
  bool is_nth(std::int64_t& count, std::int64_t nth);

  Options options_;
  StopWish stop_;
  Engine in_{stop_};
  Engine out_{stop_};
  Engine kernels_{stop_};
  std::atomic<std::int64_t> next_number_{0};
  mutable std::mutex mutex_;
  std::map<const std::byte*, SlotMemory> memory_;
  std::map<const std::byte*, std::int64_t> sizes_;
  std::map<const std::byte*, SlotMemory> pinned_;
  std::int64_t bytes_used_ = 0;
  std::int64_t num_allocations_ = 0;
  std::int64_t num_pinned_ = 0;
  std::int64_t num_copies_ = 0;
  std::int64_t num_kernels_ = 0;
  std::int64_t num_works_ = 0;
  std::optional<Error> failure_;
};

}  // namespace outcrop::gpu::sim
