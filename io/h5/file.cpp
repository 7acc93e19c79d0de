// Opens HDF5 files after looking at them first, so that a wrong path ends in a sentence and never in a wait.
#include "io/h5/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include "io/descriptor.hpp"
#include "io/h5/call.hpp"
#include "io/last_opened.hpp"

namespace outcrop::io::h5 {
namespace {

constexpr hsize_t page_bytes = 4096;

[[noreturn]] void refuse(const std::string& path, const std::string& found) {
  fail(Errc::input, fmt::format("opening {}: {}", path, found));
}

/// Looks before it opens: opening a pipe would wait for a writer.
Descriptor open_regular(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) refuse(path, "the file is not there; check the path");
    refuse(path, fmt::format("the system refused ({}); check the permissions", std::strerror(errno)));
  }
  if (S_ISDIR(info.st_mode)) refuse(path, "it is a folder; name the HDF5 file in it");
  if (!S_ISREG(info.st_mode)) refuse(path, "it is a pipe, device or socket; name an HDF5 file");
  Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) refuse(path, fmt::format("the system refused ({}); check the permissions", std::strerror(errno)));
  return fd;
}

bool locking_is_off() {
  const char* value = std::getenv("HDF5_USE_FILE_LOCKING");
  return value != nullptr && (std::strcmp(value, "FALSE") == 0 || std::strcmp(value, "0") == 0);
}

/// A lock that cannot be had for any other reason than another program (ENOLCK, ENOSYS, EOPNOTSUPP ...) is no obstacle.
void refuse_if_being_written(const std::string& path, int fd) {
  if (locking_is_off()) return;
  if (::flock(fd, LOCK_SH | LOCK_NB) == 0) {
    ::flock(fd, LOCK_UN);
  } else if (errno == EWOULDBLOCK) {
    fail(Errc::input, fmt::format("another program has {} open for writing; wait until it has finished, or set "
                                  "HDF5_USE_FILE_LOCKING=FALSE if you know that it has",
                                  path));
  }
}

std::uint64_t little_endian(std::span<const unsigned char> bytes) {
  std::uint64_t value = 0;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) value = value << 8 | *byte;
  return value;
}

/// The length that a superblock says its file has (format specification, section II.A); nullopt when it cannot be told.
std::optional<std::uint64_t> stated_length(std::span<const unsigned char> block) {
  const auto version = block[8];
  const std::size_t width = version < 2 ? block[13] : block[9];  // bytes of an address
  const std::size_t base = version == 0 ? 24 : version == 1 ? 28 : 12;
  if (version > 3 || width == 0 || width > 8) return std::nullopt;
  return little_endian(block.subspan(base + 2 * width, width));
}

/// Why HDF5 did not open the file, found without HDF5: its superblock sits at 0, 512, 1024, 2048 ...
std::string look_at_superblock(int fd) {
  constexpr std::array<unsigned char, 8> signature = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  const auto size = static_cast<std::int64_t>(::lseek(fd, 0, SEEK_END));
  if (size == 0) return "the file is empty; it is not an HDF5 file";
  for (std::int64_t at = 0; at < size; at = at == 0 ? 512 : 2 * at) {
    std::array<unsigned char, 64> block = {};
    const auto got = ::pread(fd, block.data(), block.size(), at);
    if (got < 8 || !std::equal(signature.begin(), signature.end(), block.begin())) continue;
    const auto length = got == 64 ? stated_length(block) : std::nullopt;
    if (got == 64 && (!length || *length <= static_cast<std::uint64_t>(size))) {
      return "its HDF5 structure is damaged; copy or make it again";
    }
    if (!length) return fmt::format("the file is cut off: only {} bytes are there; copy or make it again", size);
    return fmt::format("the file is cut off: it says that it has {} bytes, {} are there; copy or make it again",
                       *length, size);
  }
  return "it is not an HDF5 file";
}

/// Our own look at the lock has been taken; HDF5's would fail on file systems without locks.
PropertyHandle access_without_lock() {
  PropertyHandle access(call("H5Pcreate", H5Pcreate(H5P_FILE_ACCESS)));
  call("H5Pset_file_locking", H5Pset_file_locking(access.get(), 0, 1));
  return access;
}

/// The library's stack in the order of its calls; the flags that a killed writer leaves are named there only.
std::string found_reason(const Error& error, int fd) {
  if (error.detail().find("consistency flags") != std::string::npos) {
    return "a program that was writing it has not closed it; make it again, or clear its flags with h5clear -s";
  }
  return look_at_superblock(fd);
}

herr_t collect_name(hid_t, const char* name, const H5L_info_t*, void* names) noexcept {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

bool is_dataset(hid_t file, const std::string& name) {
  if (H5Oexists_by_name(file, name.c_str(), H5P_DEFAULT) <= 0) return false;
  H5O_info_t info = {};
  return H5Oget_info_by_name2(file, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
         info.type == H5O_TYPE_DATASET;
}

/// Every link on the way must be there: the library answers a missing group in the middle with an error.
bool links_exist(hid_t file, const std::string& name) {
  for (auto slash = name.find('/', 1);; slash = name.find('/', slash + 1)) {
    const auto part = name.substr(0, slash);
    if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) return true;
  }
}

}  // namespace

File File::open(const std::string& path) {
  const auto lock = library_lock();
  const auto fd = open_regular(path);
  refuse_if_being_written(path, fd.get());
  note_opened(path);
  const auto access = access_without_lock();
  try {
    return File(path, FileHandle(call("H5Fopen", H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()))));
  } catch (const Error& error) {
    throw Error(Errc::input, fmt::format("opening {}: {}", path, found_reason(error, fd.get())))
        .with_detail(error.detail());
  }
}

File File::create(const std::string& path) {
  const auto lock = library_lock();
  const auto access = access_without_lock();
  // Large data begin at a page of the file, which is what mapped and direct access want.
  call("H5Pset_alignment", H5Pset_alignment(access.get(), page_bytes, page_bytes));
  PropertyHandle creation(call("H5Pcreate", H5Pcreate(H5P_FILE_CREATE)));
  call("H5Pset_obj_track_times", H5Pset_obj_track_times(creation.get(), false));
  errno = 0;
  const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_EXCL, creation.get(), access.get());
  if (id < 0) {
    const auto reason = errno != 0 ? std::strerror(errno) : "HDF5 gives no reason";
    fail(Errc::io, fmt::format("creating {}: {}; check the folder and its permissions", path, reason));
  }
  return File(path, FileHandle(id));
}

File File::update(const std::string& path) {
  const auto lock = library_lock();
  const auto access = access_without_lock();
  try {
    return File(path, FileHandle(call("H5Fopen", H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()))));
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("opening {} to add to it", path));
  }
}

std::vector<std::string> File::dataset_names() const {
  const auto lock = library_lock();
  std::vector<std::string> names;
  try {
    call("H5Literate", H5Literate(id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_name, &names));
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("listing the datasets of {}", path_));
  }
  std::erase_if(names, [this](const std::string& name) { return !is_dataset(id(), name); });
  H5Eclear2(H5E_DEFAULT);
  std::sort(names.begin(), names.end());
  return names;
}

bool File::has_dataset(const std::string& name) const {
  const auto lock = library_lock();
  const bool there = !name.empty() && name != "/" && links_exist(id(), name) && is_dataset(id(), name);
  H5Eclear2(H5E_DEFAULT);
  return there;
}

void File::close() {
  const auto lock = library_lock();
  if (!handle_) return;
  try {
    call("H5Fclose", H5Fclose(handle_.release()));
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("closing {}", path_));
  }
}

}  // namespace outcrop::io::h5
