// What the machine can do: rates of memory and of files, measured with plain loops.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace outcrop::tools {

/// How much is done for one rate.
struct RateEffort {
  std::int64_t memory_bytes = 256LL << 20;  ///< of the array that is read or copied, all threads together
  int repetitions = 3;                      ///< the best counts, since whatever disturbs makes a rate smaller
  double enough_s = 2;                      ///< what takes longer is not repeated
  const std::atomic<int>* stop = nullptr;   ///< a signal's number, or 0 to go on
};

/// Throws Errc::cancelled once a signal has come.
void check_stop(const std::atomic<int>* stop);

/// [bytes/s] all threads together. A copy counts the bytes copied, not those moved, and holds twice the bytes.
double memory_read_rate(int num_threads, const RateEffort& effort);
double memory_copy_rate(int num_threads, const RateEffort& effort);

/// [bytes/s] of one thread: memory that the process touches for the first time.
double new_memory_rate(const RateEffort& effort);

/// [bytes/s] of a file's first `bytes`, all threads together, read once before so that they are in the page cache.
double cached_read_rate(const std::string& path, std::int64_t bytes, int num_threads, const RateEffort& effort);

/// The same after the kernel has been asked to forget the file.
double cold_read_rate(const std::string& path, std::int64_t bytes, int num_threads, const RateEffort& effort);

/// [s] of one request of a page at a place chosen by chance, the median of many; of a file that was forgotten, or of
/// one in the page cache.
double request_latency(const std::string& path, std::int64_t bytes, bool cold, const RateEffort& effort);

/// [s] of the processor for one request of a few bytes at a place chosen by chance, of a file in the page cache.
double request_processor_time(const std::string& path, std::int64_t bytes, const RateEffort& effort);

/// [bytes/s] of a new file that is written in runs of a MiB, until the storage has it. It stays.
double synchronised_write_rate(const std::string& path, std::int64_t bytes, const RateEffort& effort);

}  // namespace outcrop::tools
