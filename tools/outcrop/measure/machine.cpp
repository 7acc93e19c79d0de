#include "tools/outcrop/measure/machine.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/error.hpp"
#include "pipeline/workers.hpp"
#include "tools/outcrop/measure/kernels.hpp"
#include "tools/outcrop/measure/rates.hpp"
#include "tools/outcrop/measure/runs.hpp"
#include "tools/outcrop/measure/storage.hpp"

namespace outcrop::tools {
namespace {

constexpr std::int64_t mib = 1024 * 1024;

/// Removed with all that is in it, whatever happens.
class PassingFolder {
 public:
  explicit PassingFolder(const std::string& parent) : path_(parent + "/outcrop-measure-XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) {
      fail(Errc::usage,
           fmt::format("measuring the storage in {}: no folder can be made there: {}; give another --storage", parent,
                       std::strerror(errno)));
    }
    path_ = std::filesystem::absolute(path_).string();
  }
  ~PassingFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

RateEffort effort_of(const MeasureOptions& options, const std::atomic<int>& stop) {
  RateEffort effort;
  effort.memory_bytes = (options.quick ? 64 : 160) * mib;
  effort.repetitions = options.quick ? 2 : 3;
  effort.stop = &stop;
  return effort;
}

}  // namespace

pipeline::Machine measure_machine(const MeasureOptions& options, const std::atomic<int>& stop, Log& log) {
  const PassingFolder folder(options.folder);
  const RateEffort effort = effort_of(options, stop);
  pipeline::Machine machine;
  log.info(fmt::format("measuring the storage in {}", options.folder));
  measure_storage(folder.path(), {(options.quick ? 64 : 256) * mib, 4, options.cached}, effort, machine);
  log.info("measuring memory");
  machine.memory_read_bytes_per_s = memory_read_rate(options.threads, effort);
  machine.memory_copy_bytes_per_s = memory_copy_rate(options.threads, effort);
  machine.new_memory_bytes_per_s = new_memory_rate(effort);
  log.info("measuring runs");
  measure_runs({folder.path(), options.threads, options.quick}, stop, machine);
  machine.flops_per_s = machine.kernels.front().flops_per_s;
  log.info("measuring the batched solvers");
  const pipeline::Workers workers(options.threads, pipeline::Runner::graph);
  for (const auto& kernel : measure_batched_kernels(machine.kernels, workers.solve_for(), options.quick, &stop)) {
    machine.kernels.push_back(kernel);
  }
  return machine;
}

}  // namespace outcrop::tools
