#include "pipeline/host.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

namespace outcrop::pipeline {
namespace {

std::optional<double> number_in(const char* path, int field = 0) {
  std::ifstream file(path);
  std::string word;
  for (int i = 0; i <= field; ++i) {
    if (!(file >> word)) return std::nullopt;
  }
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (end == word.c_str()) return std::nullopt;  // "max"
  return value;
}

std::optional<std::int64_t> environment_number(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  char* end = nullptr;
  const long long value = std::strtoll(text, &end, 10);
  return end != text && value > 0 ? std::optional<std::int64_t>(value) : std::nullopt;
}

/// The value of "Name: N kB" lines in /proc files, in bytes.
std::optional<std::int64_t> proc_bytes(const char* path, const std::string& name) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.compare(0, name.size(), name) != 0) continue;
    std::istringstream fields(line.substr(name.size()));
    std::int64_t kib = 0;
    if (fields >> kib) return kib * 1024;
  }
  return std::nullopt;
}

void lower(Limit& limit, std::optional<std::int64_t> value, const char* reason) {
  if (value && *value < limit.value) limit = {*value, reason};
}

std::optional<std::int64_t> cgroup_processors() {
  const auto quota = number_in("/sys/fs/cgroup/cpu.max", 0);
  const auto period = number_in("/sys/fs/cgroup/cpu.max", 1);
  if (quota && period && *period > 0) return std::max<std::int64_t>(1, static_cast<std::int64_t>(*quota / *period));
  const auto quota1 = number_in("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  const auto period1 = number_in("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  if (quota1 && period1 && *quota1 > 0) return std::max<std::int64_t>(1, static_cast<std::int64_t>(*quota1 / *period1));
  return std::nullopt;
}

std::optional<std::int64_t> cgroup_memory() {
  const char* const files[][2] = {
      {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
  for (const auto& [limit_file, used_file] : files) {
    const auto limit = number_in(limit_file);
    const auto used = number_in(used_file);
    // Version 1 writes "no limit" as a number near 2^63.
    if (limit && *limit < 1e18) return std::max<std::int64_t>(0, static_cast<std::int64_t>(*limit - used.value_or(0)));
  }
  return std::nullopt;
}

std::optional<std::int64_t> slurm_memory(std::int64_t threads) {
  constexpr std::int64_t mib = 1024 * 1024;
  if (const auto node = environment_number("SLURM_MEM_PER_NODE")) return *node * mib;
  if (const auto cpu = environment_number("SLURM_MEM_PER_CPU")) return *cpu * mib * threads;
  return std::nullopt;
}

}  // namespace

Limit usable_threads() {
  Limit limit{std::max<std::int64_t>(1, sysconf(_SC_NPROCESSORS_ONLN)), "processors of the machine"};
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) lower(limit, CPU_COUNT(&set), "CPU affinity");
  lower(limit, cgroup_processors(), "the cgroup's CPU quota");
  lower(limit, environment_number("SLURM_CPUS_PER_TASK"), "SLURM_CPUS_PER_TASK");
  return limit;
}

Limit usable_memory() {
  Limit limit{std::numeric_limits<std::int64_t>::max(), "no limit found"};
  lower(limit, proc_bytes("/proc/meminfo", "MemAvailable:"), "memory available on the machine");
  lower(limit, cgroup_memory(), "the cgroup's memory limit");
  rlimit data{};
  if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY) {
    lower(limit, static_cast<std::int64_t>(data.rlim_cur), "RLIMIT_DATA");
  }
  lower(limit, slurm_memory(usable_threads().value), "SLURM's memory for this job");
  return limit;
}

std::int64_t peak_resident_bytes() { return proc_bytes("/proc/self/status", "VmHWM:").value_or(0); }

double seconds_since_exec() {
  const auto start_ticks = [] {
    std::ifstream file("/proc/self/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    // The command name may hold blanks; fields are counted from the parenthesis that closes it. Start time is field 22.
    std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    std::string word;
    for (int i = 3; i <= 22; ++i) fields >> word;
    return std::strtod(word.c_str(), nullptr);
  }();
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  const double boot_s = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  return boot_s - start_ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace outcrop::pipeline
