// Positioned reads that either fill their buffer or say what went wrong.
#include "io/stored_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/clock.hpp"
#include "core/error.hpp"

namespace outcrop::io {
namespace {

/// Waits, alone and as a share of all reads, that end the trust in what the system says of its memory. A few are no
/// sign: memory that is read to may be touched for the first time.
constexpr std::int64_t many_waits = 8;
constexpr std::int64_t reads_a_wait = 4;

std::string system_reason(int code) { return std::generic_category().message(code); }

/// What copying takes, and more than that: a thread may be kept from its processor.
double longest_copy_s(std::size_t bytes) { return 2e-3 + static_cast<double>(bytes) / 100e6; }

/// Reads a byte, unless that would wait.
bool has_in_memory(int descriptor, std::int64_t offset) {
  std::byte byte{};
  const iovec to{&byte, 1};
  return ::preadv2(descriptor, &to, 1, offset, RWF_NOWAIT) == 1;
}

}  // namespace

std::shared_ptr<const StoredFile> StoredFile::open(const std::string& path, bool read_near) {
  Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor) {
    fail(Errc::input, fmt::format("opening {} for reading failed: {}", path, system_reason(errno)));
  }
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0) {
    fail(Errc::io, fmt::format("asking for the size of {} failed: {}", path, system_reason(errno)));
  }
  return std::shared_ptr<const StoredFile>(
      new StoredFile(path, std::move(descriptor), std::int64_t{status.st_size}, read_near));
}

void StoredFile::read(std::int64_t offset, std::span<std::byte> out, std::string_view dataset) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const std::int64_t at = offset + static_cast<std::int64_t>(done);
    const ssize_t got = ::pread(descriptor_.get(), out.data() + done, out.size() - done, at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      fail(Errc::io, fmt::format("reading {} bytes of {} at offset {} of {} failed: {}", out.size(), dataset, offset,
                                 path_, system_reason(errno)));
    }
    if (got == 0) {
      fail(Errc::corrupt,
           fmt::format(
               "reading {} bytes of {} at offset {} of {} failed: the file ends at byte {}, it is cut off; copy it "
               "again",
               out.size(), dataset, offset, path_, at));
    }
    done += static_cast<std::size_t>(got);
  }
}

void StoredFile::announce(std::int64_t offset, std::int64_t bytes) const {
  ::posix_fadvise(descriptor_.get(), offset, bytes, POSIX_FADV_WILLNEED);  // a hint: read() tells of errors
}

bool StoredFile::is_near(std::int64_t offset, std::int64_t bytes) const {
  if (!read_near_) return false;
  const std::int64_t waits = num_waits_.load(std::memory_order_relaxed);
  if (waits >= many_waits && waits * reads_a_wait >= num_near_.load(std::memory_order_relaxed)) return false;
  return has_in_memory(descriptor_.get(), offset) && has_in_memory(descriptor_.get(), offset + bytes - 1);
}

void StoredFile::read_near(std::int64_t offset, std::span<std::byte> out, std::string_view dataset) const {
  const double start_s = wall_s();
  read(offset, out, dataset);
  num_near_.fetch_add(1, std::memory_order_relaxed);
  if (wall_s() - start_s > longest_copy_s(out.size())) num_waits_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace outcrop::io
