// Through an unfinished file beside the final place, as all outputs.
#include "io/replace_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "io/descriptor.hpp"
#include "io/part_file.hpp"

namespace outcrop::io {
namespace {

void make_empty(const std::string& path) {
  const Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!fd) {
    fail(Errc::io,
         fmt::format("making the file {}: {}; check the folder and its permissions", path, std::strerror(errno)));
  }
}

}  // namespace

void replace_file(const std::string& path, std::span<const std::byte> bytes) {
  PartFile part(path);
  part.prepare();
  try {
    make_empty(part.part_path());
    part.open();
    part.write(bytes.data(), static_cast<std::int64_t>(bytes.size()), 0, "the file");
    part.sync();
    part.publish();
  } catch (...) {
    part.remove();
    throw;
  }
}

void replace_file(const std::string& path, const std::string& text) {
  replace_file(path, std::as_bytes(std::span(text)));
}

}  // namespace outcrop::io
