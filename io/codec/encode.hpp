// encode(): the filters of a dataset, applied in turn to one chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/codec/pipeline.hpp"

namespace outcrop::io::codec {

struct EncodedBytes {
  std::vector<std::byte> bytes;
  std::uint32_t skipped = 0;  ///< bit i: filter i was not applied, since its result would not be shorter
};

/// `filters` in the order of writing; parameters as HDF5 stores them (deflate: the level). Equal input gives equal
/// bytes. Expects: every filter is_known(), element_bytes > 0. Any thread.
EncodedBytes encode(const std::vector<FilterSpec>& filters, std::span<const std::byte> plain,
                    std::int64_t element_bytes);

}  // namespace outcrop::io::codec
