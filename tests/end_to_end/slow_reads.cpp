// Loaded before the C library: positioned reads of more than a kilobyte take 3 ms, whatever the system has in memory.
#include <dlfcn.h>
#include <sys/types.h>
#include <time.h>

#include <cstddef>

namespace {

constexpr std::size_t small_bytes = 1024;
constexpr timespec delay{0, 3'000'000};

using Read = ssize_t (*)(int, void*, std::size_t, off_t);

ssize_t read_slowly(const char* name, int descriptor, void* to, std::size_t bytes, off_t offset) {
  const auto next = reinterpret_cast<Read>(dlsym(RTLD_NEXT, name));
  if (bytes > small_bytes) nanosleep(&delay, nullptr);
  return next(descriptor, to, bytes, offset);
}

}  // namespace

extern "C" {

ssize_t pread(int descriptor, void* to, std::size_t bytes, off_t offset) {
  return read_slowly("pread", descriptor, to, bytes, offset);
}

ssize_t pread64(int descriptor, void* to, std::size_t bytes, off_t offset) {
  return read_slowly("pread64", descriptor, to, bytes, offset);
}

}  // extern "C"
