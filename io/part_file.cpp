// The system calls under a flat output: every one checked, every failure a sentence with the path.
#include "io/part_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>

#include "core/error.hpp"

namespace outcrop::io {
namespace {

[[noreturn]] void refuse(const std::string& doing, int error, const char* advice) {
  fail(Errc::io, fmt::format("{}: {}; {}", doing, std::strerror(error), advice));
}

/// A file system that cannot sync a folder (EINVAL) has nothing to make durable.
void sync_folder(const std::string& folder) {
  const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || (::fsync(fd.get()) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EBADF)) {
    refuse("making the names in " + folder + " durable", errno, "check the file system");
  }
}

/// Starts writing what is dirty, without waiting. It is only advice: what fails here fails again in sync().
void start_writeback(int fd) { ::sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE); }

}  // namespace

FreeSpace free_space(const std::string& folder) {
  struct statvfs system = {};
  struct stat info = {};
  if (::statvfs(folder.c_str(), &system) != 0 || ::stat(folder.c_str(), &info) != 0) {
    refuse("asking for the free space of " + folder, errno, "check that the folder is there");
  }
  const auto blocks = static_cast<std::uint64_t>(system.f_bavail);
  const auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto size = std::max<std::uint64_t>(system.f_frsize, 1);
  return {static_cast<std::uint64_t>(info.st_dev), static_cast<std::int64_t>(std::min(blocks, largest / size) * size)};
}

PartFile::PartFile(std::string final_path)
    : final_path_(std::move(final_path)), progress_(std::make_unique<Progress>()) {
  const auto slash = final_path_.rfind('/');
  folder_ = slash == std::string::npos ? "." : slash == 0 ? "/" : final_path_.substr(0, slash);
  part_folder_ = folder_ + "/.outcrop";
  part_path_ = part_folder_ + "/" + final_path_.substr(slash == std::string::npos ? 0 : slash + 1) + ".part";
}

void PartFile::prepare() {
  struct stat info = {};
  if (::stat(final_path_.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    refuse("writing " + final_path_, EISDIR, "name a file");
  }
  if (::mkdir(part_folder_.c_str(), 0777) != 0 && errno != EEXIST) {
    refuse("making the folder " + part_folder_ + " for unfinished files", errno, "choose a folder that can be written");
  }
  if (::unlink(part_path_.c_str()) != 0 && errno != ENOENT) {
    refuse("removing the unfinished file " + part_path_, errno, "remove it");
  }
}

void PartFile::open() {
  fd_.reset(::open(part_path_.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd_) refuse("opening " + part_path_ + " for writing", errno, "check the folder and its permissions");
}

void PartFile::write(const std::byte* data, std::int64_t bytes, std::int64_t offset, const std::string& what) const {
  for (std::int64_t done = 0; done < bytes;) {
    const auto wrote = ::pwrite(fd_.get(), data + done, static_cast<std::size_t>(bytes - done), offset + done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      refuse(fmt::format("writing {} bytes of {} to {} at offset {} ({} were written)", bytes, what, part_path_, offset,
                         done),
             wrote == 0 ? EIO : errno, errno == ENOSPC || errno == EDQUOT ? "make room" : "check the file system");
    }
    done += wrote;
  }
  const std::int64_t before = progress_->written.fetch_add(bytes);
  if (before / writeback_bytes == (before + bytes) / writeback_bytes) return;
  // Two threads that ask at once wait for each other in the file system.
  if (progress_->asking.test_and_set()) return;
  start_writeback(fd_.get());
  progress_->asking.clear();
}

void PartFile::sync() {
  if (::fsync(fd_.get()) != 0) refuse("making " + part_path_ + " durable", errno, "check the file system");
  // Network file systems report a failed write as late as here.
  if (::close(fd_.release()) != 0) refuse("closing " + part_path_, errno, "check the file system");
}

void PartFile::publish() {
  if (std::rename(part_path_.c_str(), final_path_.c_str()) != 0) {
    refuse("renaming " + part_path_ + " to " + final_path_, errno, "check the folder and its permissions");
  }
  sync_folder(folder_);
  ::rmdir(part_folder_.c_str());  // fails while other files are unfinished, as it should
}

void PartFile::remove() noexcept {
  fd_.reset();
  ::unlink(part_path_.c_str());
  ::rmdir(part_folder_.c_str());
}

}  // namespace outcrop::io
