// What the simulated device is like, and how it is made to fail.
#pragma once

#include <atomic>
#include <cstdint>

namespace outcrop::gpu::sim {

/// Which call fails, counted from 1 over the life of the device; 0: none does.
struct Faults {
  std::int64_t allocation = 0;  ///< of device memory: refused
  std::int64_t pinned = 0;      ///< allocation of pinned memory: this one and all after it are refused
  std::int64_t copy = 0;        ///< fails, and with it the device
  std::int64_t kernel = 0;      ///< launch: reports an error, and with it the device
  std::int64_t queue = 0;       ///< piece of work: its stream dies instead of doing it; the others live on
};

/// 0 for a rate: as fast as this machine.
struct Options {
  std::int64_t memory_bytes = std::int64_t{1} << 30;
  double copy_bytes_per_s = 0;  ///< each way; both ways at once
  double launch_s = 0;          ///< before each kernel
  double flops_per_s = 0;       ///< one kernel at a time
  Faults faults;
  double start_s = 0;                      ///< until it can be used
  const std::atomic<int>* stop = nullptr;  ///< not 0: its waits end and its work fails; must outlive the device
};

}  // namespace outcrop::gpu::sim
