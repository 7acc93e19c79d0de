#include "io/last_opened.hpp"

#include <algorithm>
#include <array>

namespace outcrop::io {
namespace {

/// Static, because a signal handler can reach nothing else; written under HDF5's lock.
std::array<char, 1024> name{};

}  // namespace

void note_opened(const std::string& path) {
  const std::size_t length = std::min(path.size(), name.size() - 1);
  std::copy_n(path.begin(), length, name.begin());
  name[length] = '\0';
}

const char* last_opened() noexcept { return name.data(); }

}  // namespace outcrop::io
