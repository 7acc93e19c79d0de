// OutputLock: one run at a time for each product.
#pragma once

#include <string>

#include "io/descriptor.hpp"

namespace outcrop::io {

/// Holds `.outcrop/<name>.lock` beside an output, with host, process and job in it for the other's message. The system
/// frees the lock when its process ends, however it ends; the file of a dead run is taken over. On file systems without
/// locks a process of the same host that is alive still refuses.
class OutputLock {
 public:
  /// Throws: Errc::input "another run is writing FILE: process 12 on host ..."; Errc::io when the folder cannot be
  /// made.
  explicit OutputLock(const std::string& output_path);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  void remove() noexcept;

  std::string folder_;
  std::string path_;
  Descriptor fd_;
};

}  // namespace outcrop::io
