// ByteRuns: pieces of a file that are read with as few calls as their distances allow, one after the other in memory.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace outcrop::io {

class ByteRuns {
 public:
  /// Bytes that are read with one call.
  struct Run {
    std::int64_t address = 0;  ///< in the file
    std::int64_t bytes = 0;
    std::int64_t offset = 0;  ///< in memory, once merge() was called
  };

  /// `largest_gap_bytes`: unwanted bytes between two pieces that are read rather than skipped.
  explicit ByteRuns(std::int64_t largest_gap_bytes) : largest_gap_bytes_(largest_gap_bytes) {}

  void add(std::int64_t address, std::int64_t bytes);

  /// Brings all that was added into the order of the file, and gives each run its place in memory.
  void merge();

  const std::vector<Run>& all() const { return runs_; }
  std::int64_t total_bytes() const { return total_bytes_; }  ///< after merge()

  /// Where the byte at an address lies in memory, and how many bytes of its run follow. Expects: it was added.
  std::pair<std::int64_t, std::int64_t> find(std::int64_t address) const;

 private:
  std::int64_t largest_gap_bytes_;
  std::int64_t total_bytes_ = 0;
  std::vector<Run> runs_;
};

}  // namespace outcrop::io
