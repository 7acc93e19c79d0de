// An HDF5 file, open for reading or being made.
#pragma once

#include <string>
#include <vector>

#include "io/h5/handle.hpp"

namespace outcrop::io::h5 {

/// Move-only. All members take library_lock(). Errors name the file.
class File {
 public:
  /// Read-only. A file system that cannot lock is no obstacle; a lock that another program holds is an Error that says
  /// so. Throws: Errc::input "FILE is not there" / "is a folder" / "is not an HDF5 file" / "is cut off: ..."
  static File open(const std::string& path);

  /// A new file, never over an existing one; object times are not recorded, so that equal contents are equal bytes.
  static File create(const std::string& path);

  /// An existing file of our own, to add to it.
  static File update(const std::string& path);

  const std::string& path() const { return path_; }
  hid_t id() const { return handle_.get(); }

  /// Names of the datasets in the root group, sorted. (Links that lead nowhere are left out.)
  std::vector<std::string> dataset_names() const;
  bool has_dataset(const std::string& name) const;

  void close();

 private:
  File(std::string path, FileHandle handle) : path_(std::move(path)), handle_(std::move(handle)) {}
  std::string path_;
  FileHandle handle_;
};

}  // namespace outcrop::io::h5
