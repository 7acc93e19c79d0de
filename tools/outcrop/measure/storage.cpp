#include "tools/outcrop/measure/storage.hpp"

namespace outcrop::tools {

void measure_storage(const std::string& folder, const StorageTrial& trial, const RateEffort& effort,
                     pipeline::Machine& machine) {
  const std::string path = folder + "/samples";
  machine.write_bytes_per_s = synchronised_write_rate(path, trial.file_bytes, effort);
  // Cold first: what follows fills the cache.
  machine.read_latency_s = request_latency(path, trial.file_bytes, !trial.cached, effort);
  machine.read_bytes_per_s = trial.cached ? cached_read_rate(path, trial.file_bytes, trial.readers, effort)
                                          : cold_read_rate(path, trial.file_bytes, trial.readers, effort);
  machine.read_request_cpu_s = request_processor_time(path, trial.file_bytes, effort);
}

}  // namespace outcrop::tools
