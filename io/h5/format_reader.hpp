// FormatReader: reads pieces of HDF5's file format and never beyond them, whatever the bytes say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/stored_file.hpp"

namespace outcrop::io::h5 {

/// What the superblock says about all numbers in the file.
struct FileFormat {
  std::int64_t base_address = 0;  ///< bytes before HDF5's own (the user block)
  int address_bytes = 8;
  int length_bytes = 8;
  int btree_entries = 64;  ///< the most that a node of a chunk B-tree has
};

/// Some bytes of the file, read from the front. Numbers are little-endian.
class FormatBlock {
 public:
  /// `what` and `owner` are named when the block turns out too short: "a B-tree node", "/phase in stack.h5".
  FormatBlock(std::vector<std::byte> bytes, std::string what, std::string owner)
      : bytes_(std::move(bytes)), what_(std::move(what)), owner_(std::move(owner)) {}

  std::int64_t left() const { return static_cast<std::int64_t>(bytes_.size()) - position_; }
  std::int64_t position() const { return position_; }

  std::uint64_t number(int num_bytes);  ///< Expects: num_bytes <= 8
  void skip(std::int64_t num_bytes);
  bool starts_with(const char (&signature)[5]);  ///< and skips it if so
  FormatBlock part(std::int64_t num_bytes);      ///< the next bytes as a block of their own

 private:
  std::vector<std::byte> bytes_;
  std::string what_;
  std::string owner_;
  std::int64_t position_ = 0;
};

class FormatReader {
 public:
  /// `dataset` is named in errors. The file must outlive the reader.
  FormatReader(const StoredFile& file, const FileFormat& format, const std::string& dataset)
      : file_(file), format_(format), dataset_(dataset) {}

  const FileFormat& format() const { return format_; }

  /// `address` as the format has it, relative to the base address. `what`: for errors.
  /// Throws: Errc::corrupt when the bytes are not all in the file.
  FormatBlock block(std::uint64_t address, std::int64_t num_bytes, const std::string& what) const;

  /// How many bytes there are from `address` to the end of the file.
  std::int64_t bytes_from(std::uint64_t address) const;

  /// Offset in the file of `num_bytes` bytes at `address`. Throws: Errc::corrupt when they are not all in the file.
  std::int64_t file_offset(std::uint64_t address, std::int64_t num_bytes, const std::string& what) const;

  /// All bits set: "there is none".
  bool is_undefined(std::uint64_t address) const;

  [[noreturn]] void corrupt(const std::string& what_is_wrong, SourceLocation where = SourceLocation::current()) const;

 private:
  const StoredFile& file_;
  FileFormat format_;
  std::string dataset_;
};

}  // namespace outcrop::io::h5
