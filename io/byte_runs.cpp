// Joins pieces of a file that lie close together.
#include "io/byte_runs.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace outcrop::io {

void ByteRuns::add(std::int64_t address, std::int64_t bytes) {
  if (!runs_.empty()) {
    Run& last = runs_.back();
    const std::int64_t gap = address - (last.address + last.bytes);
    if (address >= last.address && gap <= largest_gap_bytes_) {
      last.bytes = std::max(last.bytes, address + bytes - last.address);
      return;
    }
  }
  runs_.push_back({address, bytes, 0});
}

void ByteRuns::merge() {
  std::vector<Run> unsorted = std::move(runs_);
  runs_.clear();
  std::sort(unsorted.begin(), unsorted.end(), [](const Run& a, const Run& b) { return a.address < b.address; });
  for (const Run& run : unsorted) add(run.address, run.bytes);
  total_bytes_ = 0;
  for (Run& run : runs_) {
    run.offset = total_bytes_;
    total_bytes_ += run.bytes;
  }
}

std::pair<std::int64_t, std::int64_t> ByteRuns::find(std::int64_t address) const {
  auto run =
      std::upper_bound(runs_.begin(), runs_.end(), address, [](std::int64_t a, const Run& r) { return a < r.address; });
  OUTCROP_EXPECT(run != runs_.begin(), "a row of a tile is in none of its runs");
  --run;
  const std::int64_t into = address - run->address;
  return {run->offset + into, run->bytes - into};
}

}  // namespace outcrop::io
