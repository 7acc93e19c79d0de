// What the machine can do: rates of memory and of files.
#include "bench/limits/rates.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

#include "core/clock.hpp"
#include "core/error.hpp"

namespace outcrop::bench {
namespace {

constexpr std::int64_t mib = 1024 * 1024;
constexpr std::int64_t memory_bytes = 256 * mib;
constexpr int repetitions = 3;

/// Seconds until all threads have ended.
double run_threads(int num_threads, const std::function<void(int)>& body) {
  const double start_s = wall_s();
  std::vector<std::thread> threads;
  for (int t = 0; t < num_threads; ++t) threads.emplace_back(body, t);
  for (std::thread& thread : threads) thread.join();
  return wall_s() - start_s;
}

/// The best of several, since whatever disturbs makes a rate smaller.
double best_rate(std::int64_t bytes, const std::function<double()>& seconds) {
  double best_s = seconds();
  for (int i = 1; i < repetitions; ++i) best_s = std::min(best_s, seconds());
  return static_cast<double>(bytes) / best_s;
}

class File {
 public:
  File(const std::string& path, int flags) : path_(path), descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {
    if (descriptor_ < 0) fail(Errc::io, fmt::format("opening {}: {}", path, std::strerror(errno)));
  }
  ~File() { close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void read(char* to, std::int64_t bytes, std::int64_t offset) const {
    if (pread(descriptor_, to, static_cast<std::size_t>(bytes), offset) != bytes) fail_with("reading");
  }
  void write(const char* from, std::int64_t bytes, std::int64_t offset) const {
    if (pwrite(descriptor_, from, static_cast<std::size_t>(bytes), offset) != bytes) fail_with("writing");
  }
  void synchronise() const {
    if (fdatasync(descriptor_) != 0) fail_with("synchronising");
  }
  void forget() const { posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED); }

 private:
  [[noreturn]] void fail_with(const char* what) const {
    fail(Errc::io, fmt::format("{} {}: {}", what, path_, std::strerror(errno)));
  }

  std::string path_;
  int descriptor_;
};

double read_s(const File& file, std::int64_t bytes, int num_threads) {
  const std::int64_t blocks = bytes / mib;
  return run_threads(num_threads, [&](int thread) {
    std::vector<char> buffer(static_cast<std::size_t>(mib));
    for (std::int64_t b = blocks * thread / num_threads; b < blocks * (thread + 1) / num_threads; ++b) {
      file.read(buffer.data(), mib, b * mib);
    }
  });
}

}  // namespace

double memory_read_rate(int num_threads) {
  const std::vector<std::int64_t> numbers(static_cast<std::size_t>(num_threads * memory_bytes / 8), 1);
  std::vector<std::int64_t> sums(static_cast<std::size_t>(num_threads));
  return best_rate(num_threads * memory_bytes, [&] {
    return run_threads(num_threads, [&](int thread) {
      const auto begin = numbers.begin() + thread * (memory_bytes / 8);
      sums[static_cast<std::size_t>(thread)] += std::accumulate(begin, begin + memory_bytes / 8, std::int64_t{0});
    });
  });
}

double memory_copy_rate(int num_threads) {
  const std::vector<char> from(static_cast<std::size_t>(num_threads * memory_bytes), 1);
  std::vector<char> to(from.size());
  return best_rate(num_threads * memory_bytes, [&] {
    return run_threads(num_threads, [&](int thread) {
      std::memcpy(to.data() + thread * memory_bytes, from.data() + thread * memory_bytes,
                  static_cast<std::size_t>(memory_bytes));
    });
  });
}

double cached_read_rate(const std::string& path, std::int64_t bytes, int num_threads) {
  const File file(path, O_RDONLY);
  read_s(file, bytes, 1);
  return best_rate(bytes / mib * mib, [&] { return read_s(file, bytes, num_threads); });
}

double cold_read_rate(const std::string& path, std::int64_t bytes, int num_threads) {
  const File file(path, O_RDONLY);
  return best_rate(bytes / mib * mib, [&] {
    file.forget();
    return read_s(file, bytes, num_threads);
  });
}

double synchronised_write_rate(const std::string& folder, std::int64_t bytes) {
  const std::string path = folder + "/outcrop-bench-write";
  const std::vector<char> buffer(static_cast<std::size_t>(mib), 1);
  const double rate = best_rate(bytes / mib * mib, [&] {
    const double start_s = wall_s();
    const File file(path, O_CREAT | O_TRUNC | O_WRONLY);
    for (std::int64_t b = 0; b < bytes / mib; ++b) file.write(buffer.data(), mib, b * mib);
    file.synchronise();
    return wall_s() - start_s;
  });
  unlink(path.c_str());
  return rate;
}

}  // namespace outcrop::bench
