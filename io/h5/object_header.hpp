// The object header of a dataset: where its chunk B-tree is.
#pragma once

#include <cstdint>
#include <optional>

#include "io/h5/format_reader.hpp"

namespace outcrop::io::h5 {

/// What the data-layout message says about a chunked dataset.
struct ChunkedLayout {
  bool is_btree_v1 = false;              ///< false: a newer kind of index (layout version 4 and later)
  std::optional<std::uint64_t> address;  ///< of the B-tree's root; none: no chunk was ever written
};

/// Reads the object header (version 1 or 2, with its continuation blocks) at `address`.
/// Throws: Errc::corrupt when it does not make sense, or has no layout of chunks.
ChunkedLayout read_chunked_layout(const FormatReader& reader, std::uint64_t address);

}  // namespace outcrop::io::h5
