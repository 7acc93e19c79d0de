// Positioned reads that either fill their buffer or say what went wrong.
#include "io/stored_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/error.hpp"

namespace outcrop::io {
namespace {

std::string system_reason(int code) { return std::generic_category().message(code); }

}  // namespace

std::shared_ptr<const StoredFile> StoredFile::open(const std::string& path) {
  Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor) {
    fail(Errc::input, fmt::format("opening {} for reading failed: {}", path, system_reason(errno)));
  }
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0) {
    fail(Errc::io, fmt::format("asking for the size of {} failed: {}", path, system_reason(errno)));
  }
  return std::shared_ptr<const StoredFile>(new StoredFile(path, std::move(descriptor), std::int64_t{status.st_size}));
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

}  // namespace outcrop::io
