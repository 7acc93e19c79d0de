// What this process may use of the machine it runs on: processors and memory, as limits of all kinds leave them.
#pragma once

#include <cstdint>
#include <string>

namespace outcrop::pipeline {

/// A number and where it comes from, for the plan.
struct Limit {
  std::int64_t value = 0;
  std::string reason;
};

/// Smallest of CPU affinity, cgroup quota and SLURM_CPUS_PER_TASK; at least 1.
Limit usable_threads();

/// Smallest of MemAvailable, what the cgroup leaves, RLIMIT_DATA and SLURM's memory for this job, in bytes.
Limit usable_memory();

/// Largest resident size of this process so far.
std::int64_t peak_resident_bytes();

/// Seconds since this process was started by exec.
double seconds_since_exec();

}  // namespace outcrop::pipeline
