// How fast a storage reads and writes, from one file of its own.
#pragma once

#include <string>

#include "pipeline/machine.hpp"
#include "tools/outcrop/measure/rates.hpp"

namespace outcrop::tools {

struct StorageTrial {
  std::int64_t file_bytes = 256LL << 20;
  int readers = 4;      ///< threads that wait at once, as in a run
  bool cached = false;  ///< the file in the page cache, not the storage below it
};

/// Fills in the rates of reading and writing. The file is made in `folder`, and stays.
/// Throws: Errc::io naming it, Errc::cancelled.
void measure_storage(const std::string& folder, const StorageTrial& trial, const RateEffort& effort,
                     pipeline::Machine& machine);

}  // namespace outcrop::tools
