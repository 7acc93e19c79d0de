// The device that stands in for NVIDIA's in tests of gpu/cuda: memory of this process, a thread for each stream, a
// count of all calls, and a strict eye on how the interface is used.
#pragma once

#include <cuda_runtime_api.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/cuda_stand_in/plan.hpp"

namespace outcrop::test::stand_in {

/// Memory of [begin, begin + bytes).
struct Range {
  const std::byte* begin = nullptr;
  std::size_t bytes = 0;

  bool holds(const Range& inner) const { return begin <= inner.begin && inner.begin + inner.bytes <= begin + bytes; }
};

/// What a stream has been ordered to do.
struct Order {
  std::function<void()> work;
  std::vector<Range> uses;  ///< memory that must stay until the work is done
};

class Stream;

/// Thread-safe. One for the process.
class Device {
 public:
  static Device& get();

  const Plan& plan() const { return plan_; }

  /// Counts a call. Gives: the error that it is to give, which is this thread's last error then.
  cudaError_t enter(const char* call);

  /// Counts a piece of work when its turn comes. Gives: whether it is the one that fails, and with it the device.
  bool fails_at_work();

  cudaError_t note(cudaError_t code);
  cudaError_t last_error();

  /// What every call gives once the device has failed for good.
  cudaError_t lasting() const;

  cudaError_t allocate(void** memory, std::size_t bytes, bool on_device);
  void free(void* memory, bool on_device);
  void tell_memory(std::size_t* free_bytes, std::size_t* total);

  bool is_on_device(const Range& range) const;
  bool is_pinned(const Range& range) const;

  void add(Stream* stream);
  void remove(Stream* stream);
  void count_alive(const char* what, int change);

  /// Something that the interface forbids, or that we promise ourselves not to do.
  void blame(const std::string& sentence);

 private:
  Device() : plan_(plan_of_environment()) {}
  ~Device();

  static bool is_inside(const std::map<const std::byte*, std::size_t>& ranges, const Range& range);

  Plan plan_;
  mutable std::mutex mutex_;
  std::map<const std::byte*, std::size_t> device_memory_;
  std::map<const std::byte*, std::size_t> pinned_memory_;
  std::int64_t device_bytes_ = 0;
  std::int64_t pinned_bytes_ = 0;
  std::int64_t taken_ = 0;
  std::vector<std::string> calls_;
  std::int64_t num_works_ = 0;
  cudaError_t lasting_ = cudaSuccess;
  std::set<Stream*> streams_;
  std::map<std::string, int> alive_;
  std::vector<std::string> blamed_;
};

/// Does what it is ordered to do in order, on a thread of its own.
class Stream {
 public:
  Stream();
  ~Stream();

  void add(Order order);
  void wait();
  bool is_using(const Range& range);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Order> orders_;  ///< the first is under way
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace outcrop::test::stand_in
