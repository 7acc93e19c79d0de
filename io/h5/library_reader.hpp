// What only HDF5 itself can read: single stored chunks of newer indexes, and rectangles of layouts that are not ours.
// All functions take library_lock(): one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/h5/dataset.hpp"

namespace outcrop::io::h5 {

/// Bytes of the chunk at a place in the grid of chunks, as stored; 0 when it was never written.
std::int64_t stored_chunk_bytes(const Dataset& dataset, const std::vector<std::int64_t>& index);

/// Reads a chunk as it is stored. Expects: `out` is as long as stored_chunk_bytes().
/// Gives: the filters that were skipped, bit i for filter i. Throws: Errc::io naming file, dataset and chunk.
std::uint32_t read_stored_chunk(const Dataset& dataset, const std::vector<std::int64_t>& index,
                                std::span<std::byte> out);

/// Reads a box of elements. `as_stored`: in the file's own number type, else as native float32.
/// `start`, `count`: one number for each dimension. Throws: Errc::io naming file and dataset.
void read_box(const Dataset& dataset, const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& count,
              bool as_stored, std::span<std::byte> out);

/// Whether HDF5 can undo the filter.
bool has_filter(int id);

}  // namespace outcrop::io::h5
