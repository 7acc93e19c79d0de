// PartFile: an unfinished output, `.outcrop/<name>.part` beside its final place, that any thread can write to.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "io/descriptor.hpp"

namespace outcrop::io {

/// Bytes that can still be written to the file system of `folder`, and which file system that is.
struct FreeSpace {
  std::uint64_t device = 0;
  std::int64_t bytes = 0;
};
FreeSpace free_space(const std::string& folder);

class PartFile {
 public:
  /// Written bytes after which storage is set to work.
  static constexpr std::int64_t writeback_bytes = 32LL << 20;

  explicit PartFile(std::string final_path);

  const std::string& final_path() const { return final_path_; }
  const std::string& part_path() const { return part_path_; }
  const std::string& folder() const { return folder_; }  ///< of the final path; "." for a bare name

  /// Makes the `.outcrop` folder and removes a part that an earlier run left.
  /// Throws: Errc::io naming the path when the folder cannot be made, the final name is a folder ...
  void prepare();

  void open();  ///< for writing; the part must exist

  /// All bytes, at a file offset. Any thread. `what` names them in an error: "/timeseries".
  /// Now and then also asks the system to begin with what was written, so that sync() finds little left to do.
  void write(const std::byte* data, std::int64_t bytes, std::int64_t offset, const std::string& what) const;

  void sync();     ///< makes the bytes durable and closes
  void publish();  ///< renames to the final name and makes that durable; removes the `.outcrop` folder when it is empty
  void remove() noexcept;  ///< the part, and the folder when it is empty

 private:
  /// Of all threads that write.
  struct Progress {
    std::atomic<std::int64_t> written{0};  ///< bytes
    std::atomic_flag asking;               ///< a thread asks for them to be written to storage
  };

  std::string final_path_;
  std::string folder_;
  std::string part_folder_;
  std::string part_path_;
  Descriptor fd_;
  std::unique_ptr<Progress> progress_;
};

}  // namespace outcrop::io
