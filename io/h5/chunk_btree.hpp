// The version-1 B-tree of a chunked dataset, read from the file itself: HDF5 1.10 has no fast way to list all chunks.
#pragma once

#include <cstdint>
#include <vector>

#include "io/h5/chunk_index.hpp"
#include "io/h5/format_reader.hpp"

namespace outcrop::io::h5 {

/// All chunks below the node at `root`, in the order of the tree.
/// Throws: Errc::corrupt when the tree does not make sense: wrong levels, places outside the grid or the file, circles.
std::vector<StoredChunk> read_chunk_btree(const FormatReader& reader, std::uint64_t root, const ChunkGrid& grid);

}  // namespace outcrop::io::h5
