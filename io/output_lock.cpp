#include "io/output_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"

namespace outcrop::io {
namespace {

namespace fs = std::filesystem;

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string own_text() {
  const char* job = std::getenv("SLURM_JOB_ID");
  return fmt::format("process {} on {}{}", ::getpid(), host_name(), job != nullptr ? fmt::format(", job {}", job) : "");
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  std::getline(file, text);
  return text.empty() ? "a run that has just begun" : text;
}

/// For file systems without locks: whether the process named in the file is another one, of this host, and alive.
bool holder_is_alive(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  pid_t process = 0;
  std::string on;
  std::string host;
  words >> word >> process >> on >> host;
  while (!host.empty() && host.back() == ',') host.pop_back();
  return process > 0 && process != ::getpid() && host == host_name() && ::kill(process, 0) == 0;
}

}  // namespace

OutputLock::OutputLock(const std::string& output_path) {
  const fs::path output(output_path);
  const fs::path folder = (output.has_parent_path() ? output.parent_path() : fs::path(".")) / ".outcrop";
  folder_ = folder.string();
  path_ = (folder / (output.filename().string() + ".lock")).string();
  if (::mkdir(folder_.c_str(), 0777) != 0 && errno != EEXIST) {
    fail(Errc::io, fmt::format("making the folder {} for unfinished files: {}; choose a folder that can be written",
                               folder_, std::strerror(errno)));
  }
  const std::string before = text_of(path_);
  fd_.reset(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!fd_) {
    const int reason = errno;
    ::rmdir(folder_.c_str());
    fail(Errc::io,
         fmt::format("making the lock {}: {}; choose a folder that can be written", path_, std::strerror(reason)));
  }
  const bool refused = ::flock(fd_.get(), LOCK_EX | LOCK_NB) != 0;
  if (refused && (errno == EWOULDBLOCK || holder_is_alive(before))) {
    const std::string holder = text_of(path_);
    fail(Errc::input, fmt::format("another run is writing {}: {}; wait for it, or choose another folder with --out-dir",
                                  output_path, holder));
  }
  const std::string text = own_text() + "\n";
  if (::ftruncate(fd_.get(), 0) != 0 || ::pwrite(fd_.get(), text.data(), text.size(), 0) < 0) {
    const int reason = errno;
    remove();
    fail(Errc::io, fmt::format("writing the lock {}: {}; make room there, or choose another folder with --out-dir",
                               path_, std::strerror(reason)));
  }
}

OutputLock::~OutputLock() { remove(); }

void OutputLock::remove() noexcept {
  ::unlink(path_.c_str());
  fd_.reset();
  ::rmdir(folder_.c_str());  // stays while other runs have files there
}

}  // namespace outcrop::io
