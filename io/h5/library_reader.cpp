// Reads through HDF5, one thread at a time.
#include "io/h5/library_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/h5/call.hpp"

namespace outcrop::io::h5 {
namespace {

std::vector<hsize_t> chunk_offset(const Dataset& dataset, const std::vector<std::int64_t>& index) {
  std::vector<hsize_t> offset;
  for (std::size_t d = 0; d < index.size(); ++d) {
    offset.push_back(static_cast<hsize_t>(index[d] * dataset.info().chunk[d]));
  }
  return offset;
}

std::string name_of(const Dataset& dataset) {
  return fmt::format("{} in {}", dataset.info().name, dataset.info().path);
}

std::vector<hsize_t> unsigned_sizes(const std::vector<std::int64_t>& sizes) { return {sizes.begin(), sizes.end()}; }

}  // namespace

std::int64_t stored_chunk_bytes(const Dataset& dataset, const std::vector<std::int64_t>& index) {
  const auto lock = library_lock();
  const auto offset = chunk_offset(dataset, index);
  hsize_t bytes = 0;
  if (H5Dget_chunk_storage_size(dataset.id(), offset.data(), &bytes) < 0) {
    H5Eclear2(H5E_DEFAULT);  // how some versions say that the chunk was never written
    return 0;
  }
  return static_cast<std::int64_t>(bytes);
}

std::uint32_t read_stored_chunk(const Dataset& dataset, const std::vector<std::int64_t>& index,
                                std::span<std::byte> out) {
  const auto lock = library_lock();
  const auto offset = chunk_offset(dataset, index);
  std::uint32_t skipped = 0;
  try {
    call("H5Dread_chunk", H5Dread_chunk(dataset.id(), H5P_DEFAULT, offset.data(), &skipped, out.data()));
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("reading chunk ({}) of {}", fmt::join(index, ", "), name_of(dataset)));
  }
  return skipped;
}

void read_box(const Dataset& dataset, const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& count,
              bool as_stored, std::span<std::byte> out) {
  const auto lock = library_lock();
  try {
    const SpaceHandle file_space(call("H5Dget_space", H5Dget_space(dataset.id())));
    const auto file_start = unsigned_sizes(start);
    const auto file_count = unsigned_sizes(count);
    call("H5Sselect_hyperslab",
         H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, file_start.data(), nullptr, file_count.data(), nullptr));
    const SpaceHandle memory_space(
        call("H5Screate_simple", H5Screate_simple(static_cast<int>(count.size()), file_count.data(), nullptr)));
    const TypeHandle stored_type(call("H5Dget_type", H5Dget_type(dataset.id())));
    const hid_t type = as_stored ? stored_type.get() : H5T_NATIVE_FLOAT;
    call("H5Dread", H5Dread(dataset.id(), type, memory_space.get(), file_space.get(), H5P_DEFAULT, out.data()));
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("reading {} elements at ({}) of {}", fmt::join(count, " x "),
                                              fmt::join(start, ", "), name_of(dataset)));
  }
}

bool has_filter(int id) {
  const auto lock = library_lock();
  return H5Zfilter_avail(id) > 0;
}

}  // namespace outcrop::io::h5
