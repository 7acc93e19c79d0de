#include "tools/outcrop/measure/rates.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/median.hpp"
#include "core/slot.hpp"

namespace outcrop::tools {
namespace {

constexpr std::int64_t mib = 1024 * 1024;

/// Seconds until all threads have ended.
double run_threads(int num_threads, const std::function<void(int)>& body) {
  const double start_s = wall_s();
  std::vector<std::thread> threads;
  for (int t = 0; t < num_threads; ++t) threads.emplace_back(body, t);
  for (std::thread& thread : threads) thread.join();
  return wall_s() - start_s;
}

double best_rate(std::int64_t bytes, const RateEffort& effort, const std::function<double()>& seconds) {
  double best_s = seconds();
  for (int i = 1; i < effort.repetitions && best_s < effort.enough_s; ++i) {
    check_stop(effort.stop);
    best_s = std::min(best_s, seconds());
  }
  check_stop(effort.stop);
  return static_cast<double>(bytes) / best_s;
}

class File {
 public:
  File(const std::string& path, int flags) : path_(path), descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {
    if (descriptor_ < 0) fail_with("opening");
  }
  ~File() { close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void read(char* to, std::int64_t bytes, std::int64_t offset) const {
    move_all(bytes, "reading", [&](std::int64_t done) {
      return pread(descriptor_, to + done, static_cast<std::size_t>(bytes - done), offset + done);
    });
  }
  void write(const char* from, std::int64_t bytes, std::int64_t offset) const {
    move_all(bytes, "writing", [&](std::int64_t done) {
      return pwrite(descriptor_, from + done, static_cast<std::size_t>(bytes - done), offset + done);
    });
  }
  void synchronise() const {
    if (fdatasync(descriptor_) != 0) fail_with("synchronising");
  }
  void forget() const { posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED); }

 private:
  /// The system may move less than it was asked to, and says why only when it is asked for the rest.
  template <class Move>
  void move_all(std::int64_t bytes, const char* what, const Move& move) const {
    for (std::int64_t done = 0; done < bytes;) {
      errno = EIO;  // of a file that ends before it should
      const std::int64_t moved = move(done);
      if (moved <= 0) fail_with(what);
      done += moved;
    }
  }

  [[noreturn]] void fail_with(const char* what) const {
    fail(Errc::io, fmt::format("measuring the storage: {} {}: {}", what, path_, std::strerror(errno)));
  }

  std::string path_;
  int descriptor_;
};

/// Blocks of one MiB, each thread a part of them.
double read_s(const File& file, std::int64_t bytes, int num_threads) {
  const std::int64_t blocks = bytes / mib;
  return run_threads(num_threads, [&](int thread) {
    std::vector<char> buffer(static_cast<std::size_t>(mib));
    for (std::int64_t b = blocks * thread / num_threads; b < blocks * (thread + 1) / num_threads; ++b) {
      file.read(buffer.data(), mib, b * mib);
    }
  });
}

/// Bytes of each thread's part.
std::int64_t part_of(const RateEffort& effort, int num_threads) {
  return std::max<std::int64_t>(effort.memory_bytes / num_threads / 8 * 8, 8);
}

}  // namespace

void check_stop(const std::atomic<int>* stop) {
  if (stop != nullptr && stop->load() != 0) fail(Errc::cancelled, "stopped by a signal while the machine was measured");
}

double memory_read_rate(int num_threads, const RateEffort& effort) {
  const std::int64_t part = part_of(effort, num_threads);
  const std::vector<std::int64_t> numbers(static_cast<std::size_t>(num_threads * part / 8), 1);
  std::vector<std::int64_t> sums(static_cast<std::size_t>(num_threads));
  return best_rate(num_threads * part, effort, [&] {
    return run_threads(num_threads, [&](int thread) {
      const auto begin = numbers.begin() + thread * (part / 8);
      sums[static_cast<std::size_t>(thread)] += std::accumulate(begin, begin + part / 8, std::int64_t{0});
    });
  });
}

double memory_copy_rate(int num_threads, const RateEffort& effort) {
  const std::int64_t part = part_of(effort, num_threads);
  const std::vector<char> from(static_cast<std::size_t>(num_threads * part), 1);
  std::vector<char> to(from.size());
  return best_rate(num_threads * part, effort, [&] {
    return run_threads(num_threads, [&](int thread) {
      std::memcpy(to.data() + thread * part, from.data() + thread * part, static_cast<std::size_t>(part));
    });
  });
}

double new_memory_rate(const RateEffort& effort) {
  constexpr std::int64_t bytes = 64 * mib;  // so many that freed memory goes back to the kernel
  return best_rate(bytes, effort, [&] {
    const double start_s = wall_s();
    const SlotMemory memory = allocate_host(bytes);
    std::memset(memory.get(), 1, static_cast<std::size_t>(bytes));
    return wall_s() - start_s;
  });
}

double cached_read_rate(const std::string& path, std::int64_t bytes, int num_threads, const RateEffort& effort) {
  const File file(path, O_RDONLY);
  read_s(file, bytes, 1);
  return best_rate(bytes / mib * mib, effort, [&] { return read_s(file, bytes, num_threads); });
}

double cold_read_rate(const std::string& path, std::int64_t bytes, int num_threads, const RateEffort& effort) {
  const File file(path, O_RDONLY);
  return best_rate(bytes / mib * mib, effort, [&] {
    file.forget();
    return read_s(file, bytes, num_threads);
  });
}

double request_latency(const std::string& path, std::int64_t bytes, bool cold, const RateEffort& effort) {
  constexpr std::int64_t page = 4096;
  constexpr int requests = 32;
  const File file(path, O_RDONLY);
  std::vector<char> buffer(page);
  std::mt19937_64 chance(1);
  std::vector<double> seconds;
  for (int i = 0; i < requests; ++i) {
    check_stop(effort.stop);
    if (cold) file.forget();
    const auto place = static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(bytes / page)) * page;
    const double start_s = wall_s();
    file.read(buffer.data(), page, place);
    seconds.push_back(wall_s() - start_s);
  }
  return median(std::move(seconds));
}

double request_processor_time(const std::string& path, std::int64_t bytes, const RateEffort& effort) {
  constexpr std::int64_t size = 512;
  constexpr int requests = 4096;
  const File file(path, O_RDONLY);
  std::vector<char> buffer(size);
  // The first round brings the pages into the cache.
  const double rate = best_rate(requests, effort, [&] {
    std::mt19937_64 chance(1);
    const double start_s = thread_cpu_s();
    for (int i = 0; i < requests; ++i) {
      file.read(buffer.data(), size,
                static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(bytes / size)) * size);
    }
    return thread_cpu_s() - start_s;
  });
  return 1 / rate;
}

double synchronised_write_rate(const std::string& path, std::int64_t bytes, const RateEffort& effort) {
  const std::vector<char> buffer(static_cast<std::size_t>(mib), 1);
  const std::int64_t whole = bytes / mib * mib;
  return best_rate(whole, effort, [&] {
    const double start_s = wall_s();
    const File file(path, O_CREAT | O_TRUNC | O_WRONLY);
    for (std::int64_t at = 0; at < whole; at += mib) {
      check_stop(effort.stop);
      file.write(buffer.data(), mib, at);
    }
    file.synchronise();
    return wall_s() - start_s;
  });
}

}  // namespace outcrop::tools
