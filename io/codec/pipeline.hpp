// Pipeline: the filters of a dataset, undone in turn for one chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace outcrop::io::codec {

/// One filter of a dataset, in HDF5's numbers.
struct FilterSpec {
  int id = 0;
  std::vector<unsigned> parameters;
};

/// Whether a Pipeline can undo it.
bool is_known(int filter_id);

/// Immutable; any thread.
class Pipeline {
 public:
  Pipeline() = default;

  /// `filters` in the order in which they were applied when writing. `chunk_bytes`: of a plain chunk.
  /// Expects: every filter is_known().
  Pipeline(std::vector<FilterSpec> filters, std::int64_t chunk_bytes, std::int64_t element_bytes);

  bool empty() const { return filters_.empty(); }

  /// Size of each of the two buffers of decode(); the second may be empty unless needs_second().
  std::int64_t buffer_bytes() const { return buffer_bytes_; }
  bool needs_second() const { return moving_filters_ > 1; }

  /// Whether a compression was applied to a chunk with these `skipped` bits, as decode() takes them.
  bool is_packed(std::uint32_t skipped) const;

  /// Undoes all filters but those whose bit (by place) is set in `skipped`. `stored` may lie in `second`.
  /// Gives: the plain chunk, which lies in `stored`, `first` or `second`.
  /// Throws: Errc::corrupt when the bytes do not decode to exactly one chunk.
  std::span<const std::byte> decode(std::span<const std::byte> stored, std::uint32_t skipped,
                                    std::span<std::byte> first, std::span<std::byte> second) const;

 private:
  std::vector<FilterSpec> filters_;
  std::int64_t chunk_bytes_ = 0;
  std::int64_t element_bytes_ = 1;
  std::int64_t buffer_bytes_ = 0;
  int moving_filters_ = 0;  ///< those that write their result elsewhere
};

}  // namespace outcrop::io::codec
