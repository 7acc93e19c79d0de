// What the machine can do: rates of memory and of files, measured with plain loops. [bytes/s], all threads together.
#pragma once

#include <cstdint>
#include <string>

namespace outcrop::bench {

double memory_read_rate(int num_threads);
double memory_copy_rate(int num_threads);  ///< of the bytes copied, not of those moved

/// Of a file's first `bytes`, read once before so that they are in the page cache.
double cached_read_rate(const std::string& path, std::int64_t bytes, int num_threads);

/// The same after the kernel has been asked to forget the file.
double cold_read_rate(const std::string& path, std::int64_t bytes, int num_threads);

/// A new file in `folder`, written in runs of a MiB and synchronised; it is removed again.
double synchronised_write_rate(const std::string& folder, std::int64_t bytes);

}  // namespace outcrop::bench
