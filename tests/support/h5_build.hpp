// Makes HDF5 files as other programs write them, in forms that our own writer never uses.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

namespace outcrop::test {

/// One file being made; every identifier is closed when it ends.
class H5Build {
 public:
  explicit H5Build(const std::string& path, bool latest = false);
  ~H5Build() { H5Fclose(file_); }
  H5Build(const H5Build&) = delete;
  H5Build& operator=(const H5Build&) = delete;

  hid_t id() const { return file_; }

  /// `type` is what the file stores, `memory` what `data` is; data null: nothing is written.
  void dataset(const std::string& name, const std::vector<hsize_t>& shape, hid_t type, hid_t memory, const void* data,
               hid_t creation = H5P_DEFAULT);
  void floats(const std::string& name, const std::vector<hsize_t>& shape, const std::vector<float>& values);
  /// Fixed-length strings as h5py's S<size>.
  void strings(const std::string& name, const std::vector<hsize_t>& shape, std::size_t size,
               const std::vector<std::string>& values, H5T_str_t padding = H5T_STR_NULLPAD);
  void bools(const std::string& name, const std::vector<signed char>& values);

  /// An attribute of the root, or of a dataset. Empty shape: scalar.
  void attribute(const std::string& name, const std::vector<hsize_t>& shape, hid_t type, hid_t memory, const void* data,
                 const std::string& object = "/");
  void text_attribute(const std::string& name, const std::string& text, const std::string& object = "/");
  void fixed_attribute(const std::string& name, const std::string& text, std::size_t size, H5T_str_t padding);

 private:
  hid_t file_;
};

/// h5py's bool type; the caller closes it.
hid_t make_bool_type();

}  // namespace outcrop::test
