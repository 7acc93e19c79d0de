// Makes datasets in a new HDF5 file: small ones whole, large ones as space that others fill.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "io/h5/attributes.hpp"
#include "io/h5/dataset.hpp"
#include "io/h5/file.hpp"

namespace outcrop::io::h5 {

/// To any object: see write_attributes of a file.
void write_attributes(hid_t object, const Attributes& attributes);

/// The common part of a dataset to be made. Object times are not recorded.
struct NewDataset {
  std::string name;
  std::vector<std::int64_t> shape;
  Attributes attributes;
};

/// Fixed-length strings, null-padded, as long as the longest (h5py's S8). `values` in row-major order.
void write_strings(const File& file, const NewDataset& dataset, const std::vector<std::string>& values);
void write_floats(const File& file, const NewDataset& dataset, const std::vector<float>& values);  ///< float32 LE
void write_bools(const File& file, const NewDataset& dataset,
                 const std::vector<bool>& values);  ///< h5py's enum of int8

/// Space for a contiguous little-endian dataset, allocated but not written. Gives: file offset of its first byte, which
/// stays as it is when more is put into the file.
std::int64_t create_contiguous(const File& file, const NewDataset& dataset, DType type);

/// A little-endian dataset of chunks. Without filters: space for all of them, allocated but not written. With filters,
/// in the order in which they are applied: none, each comes with write_stored_chunk(). LZF need not be known to HDF5.
void create_chunked(const File& file, const NewDataset& dataset, DType type, const std::vector<std::int64_t>& chunk,
                    const std::vector<Filter>& filters);

/// Adds a chunk as it is to be stored, at a place in the grid of chunks. Chunks lie in the file in the order of calls.
/// `skipped`: bit i: filter i was not applied. Throws: Errc::io naming file, dataset and chunk.
void write_stored_chunk(const Dataset& dataset, const std::vector<std::int64_t>& index, std::uint32_t skipped,
                        std::span<const std::byte> bytes);

}  // namespace outcrop::io::h5
