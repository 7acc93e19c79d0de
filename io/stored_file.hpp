// StoredFile: a file that stored bytes are read from, at any offset and by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/descriptor.hpp"

namespace outcrop::io {

/// Immutable; read() may be called by several threads at once.
class StoredFile {
 public:
  /// Throws: Errc::input when the file cannot be opened, naming it and the system's reason.
  static std::shared_ptr<const StoredFile> open(const std::string& path);

  const std::string& path() const { return path_; }
  std::int64_t size_bytes() const { return size_bytes_; }  ///< when it was opened

  /// Fills `out` from `offset`. `dataset` is named in errors.
  /// Throws: Errc::io when the system refuses; Errc::corrupt when the file ends too early.
  void read(std::int64_t offset, std::span<std::byte> out, std::string_view dataset) const;

 private:
  StoredFile(std::string path, Descriptor descriptor, std::int64_t size_bytes)
      : path_(std::move(path)), descriptor_(std::move(descriptor)), size_bytes_(size_bytes) {}

  std::string path_;
  Descriptor descriptor_;
  std::int64_t size_bytes_;
};

}  // namespace outcrop::io
