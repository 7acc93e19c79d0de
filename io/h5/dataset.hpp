// A dataset of an HDF5 file: how it is stored, and small ones read whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/h5/file.hpp"

namespace outcrop::io::h5 {

enum class Layout { compact, contiguous, chunked, is_virtual };
enum class TypeClass { floating, integer, boolean, string, other };  // boolean: h5py's enum of int8

struct StoredType {
  TypeClass kind = TypeClass::other;
  int size_bytes = 0;
  bool big_endian = false;
  bool is_signed = false;
  bool plain = false;  ///< IEEE 754 of 2, 4 or 8 bytes, or an integer without padding bits: our own code can convert it
};

struct Filter {
  int id = 0;  ///< 1 deflate, 2 shuffle, 3 fletcher32, 32000 lzf ...
  std::string name;
  std::vector<unsigned> parameters;
};

struct DatasetInfo {
  std::string path;  ///< file
  std::string name;  ///< inside the file
  std::vector<std::int64_t> shape;
  StoredType type;
  Layout layout = Layout::contiguous;
  std::vector<std::int64_t> chunk;  ///< empty when not chunked
  std::vector<Filter> filters;      ///< in the order in which they were applied when writing
  bool external = false;            ///< raw data in other files
  double fill_value = 0;            ///< as a number; 0 when undefined
  std::int64_t address = -1;  ///< contiguous: file offset of the first byte, user block included; -1: not allocated
  std::int64_t stored_bytes = -1;  ///< bytes in the file; -1 when chunked: only the chunk index knows
};

/// Move-only.
class Dataset {
 public:
  /// Throws: Errc::input naming file and dataset when there is none.
  static Dataset open(const File& file, const std::string& name);

  const DatasetInfo& info() const { return info_; }
  hid_t id() const { return handle_.get(); }

  /// Whole small datasets (the element count is limited to 10^7; more is Errc::input).
  std::vector<std::string> read_strings() const;  ///< fixed or variable length; padding and trailing blanks removed
  std::vector<double> read_numbers() const;       ///< any numeric or boolean type

  /// The numbers from `start`, `count` of them along each dimension, row-major; limited as above.
  std::vector<double> read_block(const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& count) const;

 private:
  Dataset(DatasetInfo info, DatasetHandle handle) : info_(std::move(info)), handle_(std::move(handle)) {}
  DatasetInfo info_;
  DatasetHandle handle_;
};

/// "float32", "int16 (big-endian)", ... and "chunks 16 x 63 x 54, gzip + shuffle, float32": for people.
std::string describe(const StoredType& type);
std::string describe(const DatasetInfo& info);

}  // namespace outcrop::io::h5
