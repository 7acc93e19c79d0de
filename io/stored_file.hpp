// StoredFile: a file that stored bytes are read from, at any offset and by any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/descriptor.hpp"

namespace outcrop::io {

/// Any thread, several at once.
class StoredFile {
 public:
  /// `read_near`: whether is_near() asks the system; else it is false.
  /// Throws: Errc::input when the file cannot be opened, naming it and the system's reason.
  static std::shared_ptr<const StoredFile> open(const std::string& path, bool read_near = true);

  const std::string& path() const { return path_; }
  std::int64_t size_bytes() const { return size_bytes_; }  ///< when it was opened

  /// Fills `out` from `offset`. `dataset` is named in errors.
  /// Throws: Errc::io when the system refuses; Errc::corrupt when the file ends too early.
  void read(std::int64_t offset, std::span<std::byte> out, std::string_view dataset) const;

  /// Asks the system to begin with a read() that will come, so that it has several under way and need not guess.
  void announce(std::int64_t offset, std::int64_t bytes) const;

  /// Whether read_near() of these bytes would not wait, as far as their first and last tell: the system has them in
  /// memory. False where it cannot tell, as on network file systems, and where it was wrong too often.
  bool is_near(std::int64_t offset, std::int64_t bytes) const;

  /// read(), of what is_near() was true for. If it waits all the same, that is remembered.
  void read_near(std::int64_t offset, std::span<std::byte> out, std::string_view dataset) const;

 private:
  StoredFile(std::string path, Descriptor descriptor, std::int64_t size_bytes, bool read_near)
      : path_(std::move(path)), descriptor_(std::move(descriptor)), size_bytes_(size_bytes), read_near_(read_near) {}

  std::string path_;
  Descriptor descriptor_;
  std::int64_t size_bytes_;
  bool read_near_;
  mutable std::atomic<std::int64_t> num_near_{0};   ///< calls of read_near()
  mutable std::atomic<std::int64_t> num_waits_{0};  ///< of them, those that waited
};

}  // namespace outcrop::io
