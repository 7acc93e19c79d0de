// The object header of a dataset or group: its messages, and where a chunk B-tree is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/h5/format_reader.hpp"

namespace outcrop::io::h5 {

/// What the data-layout message says about a chunked dataset.
struct ChunkedLayout {
  bool is_btree_v1 = false;              ///< false: a newer kind of index (layout version 4 and later)
  std::optional<std::uint64_t> address;  ///< of the B-tree's root; none: no chunk was ever written
};

/// All messages of one type in the object header at `address`, but for those that are kept elsewhere and shared.
/// Throws: Errc::corrupt when the header does not make sense.
std::vector<FormatBlock> read_messages(const FormatReader& reader, std::uint64_t address, std::uint64_t type);

/// Reads the object header (version 1 or 2, with its continuation blocks) at `address`.
/// Throws: Errc::corrupt when it does not make sense, or has no layout of chunks.
ChunkedLayout read_chunked_layout(const FormatReader& reader, std::uint64_t address);

}  // namespace outcrop::io::h5
