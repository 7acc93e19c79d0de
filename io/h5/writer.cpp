// Creates datasets so that equal contents give equal files: no times, no fill values, one way to lay each out.
#include "io/h5/writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/check.hpp"
#include "io/h5/call.hpp"

namespace outcrop::io::h5 {
namespace {

SpaceHandle make_space(const std::vector<std::int64_t>& shape) {
  std::vector<hsize_t> sizes;
  for (const auto size : shape) sizes.push_back(static_cast<hsize_t>(size));
  return SpaceHandle(call("H5Screate_simple", H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr)));
}

PropertyHandle make_creation() {
  PropertyHandle creation(call("H5Pcreate", H5Pcreate(H5P_DATASET_CREATE)));
  call("H5Pset_obj_track_times", H5Pset_obj_track_times(creation.get(), false));
  call("H5Pset_layout", H5Pset_layout(creation.get(), H5D_CONTIGUOUS));
  return creation;
}

DatasetHandle create(const File& file, const NewDataset& dataset, hid_t type, hid_t creation) {
  const auto space = make_space(dataset.shape);
  DatasetHandle handle(call("H5Dcreate2", H5Dcreate2(file.id(), dataset.name.c_str(), type, space.get(), H5P_DEFAULT,
                                                     creation, H5P_DEFAULT)));
  write_attributes(handle.get(), dataset.attributes);
  return handle;
}

void write_whole(const File& file, const NewDataset& dataset, hid_t file_type, hid_t memory_type, const void* data,
                 std::size_t count) {
  std::int64_t expected = 1;
  for (const auto size : dataset.shape) expected *= size;
  OUTCROP_EXPECT(expected == static_cast<std::int64_t>(count),
                 fmt::format("dataset {} has {} values for a shape of {}", dataset.name, count, expected));
  try {
    const auto creation = make_creation();
    const auto handle = create(file, dataset, file_type, creation.get());
    if (count == 0) return;
    call("H5Dwrite", H5Dwrite(handle.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("writing dataset {} of {}", dataset.name, file.path()));
  }
}

TypeHandle make_bool_type() {
  TypeHandle type(call("H5Tenum_create", H5Tenum_create(H5T_STD_I8LE)));
  constexpr std::array<std::pair<const char*, signed char>, 2> members = {{{"FALSE", 0}, {"TRUE", 1}}};
  for (const auto& [name, value] : members) call("H5Tenum_insert", H5Tenum_insert(type.get(), name, &value));
  return type;
}

}  // namespace

void write_strings(const File& file, const NewDataset& dataset, const std::vector<std::string>& values) {
  const auto lock = library_lock();
  std::size_t size = 1;
  for (const auto& value : values) size = std::max(size, value.size());
  const TypeHandle type(call("H5Tcopy", H5Tcopy(H5T_C_S1)));
  call("H5Tset_size", H5Tset_size(type.get(), size));
  call("H5Tset_strpad", H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
  std::string bytes;
  for (const auto& value : values) bytes += value + std::string(size - value.size(), '\0');
  write_whole(file, dataset, type.get(), type.get(), bytes.data(), values.size());
}

void write_floats(const File& file, const NewDataset& dataset, const std::vector<float>& values) {
  const auto lock = library_lock();
  write_whole(file, dataset, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, values.data(), values.size());
}

void write_bools(const File& file, const NewDataset& dataset, const std::vector<bool>& values) {
  const auto lock = library_lock();
  const auto type = make_bool_type();
  const std::vector<signed char> bytes(values.begin(), values.end());
  write_whole(file, dataset, type.get(), type.get(), bytes.data(), bytes.size());
}

std::int64_t create_contiguous(const File& file, const NewDataset& dataset, DType type) {
  const auto lock = library_lock();
  try {
    const auto creation = make_creation();
    call("H5Pset_alloc_time", H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY));
    call("H5Pset_fill_time", H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER));
    const auto handle = create(file, dataset, type == DType::f32 ? H5T_IEEE_F32LE : H5T_STD_U8LE, creation.get());
    const auto offset = H5Dget_offset(handle.get());
    if (offset == HADDR_UNDEF) throw_last_error("H5Dget_offset", SourceLocation::current());
    return static_cast<std::int64_t>(offset);
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("making dataset {} of {}", dataset.name, file.path()));
  }
}

void create_chunked(const File& file, const NewDataset& dataset, DType type, const std::vector<std::int64_t>& chunk,
                    const std::vector<Filter>& filters) {
  const auto lock = library_lock();
  try {
    const PropertyHandle creation(call("H5Pcreate", H5Pcreate(H5P_DATASET_CREATE)));
    const std::vector<hsize_t> sizes(chunk.begin(), chunk.end());
    call("H5Pset_obj_track_times", H5Pset_obj_track_times(creation.get(), false));
    call("H5Pset_chunk", H5Pset_chunk(creation.get(), static_cast<int>(sizes.size()), sizes.data()));
    call("H5Pset_fill_time", H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER));
    call("H5Pset_alloc_time",
         H5Pset_alloc_time(creation.get(), filters.empty() ? H5D_ALLOC_TIME_EARLY : H5D_ALLOC_TIME_INCR));
    for (const Filter& filter : filters) {
      // Optional: a chunk may go without, and HDF5 need not have the filter to make the dataset.
      call("H5Pset_filter", H5Pset_filter(creation.get(), filter.id, H5Z_FLAG_OPTIONAL, filter.parameters.size(),
                                          filter.parameters.data()));
    }
    create(file, dataset, type == DType::f32 ? H5T_IEEE_F32LE : H5T_STD_U8LE, creation.get());
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("making dataset {} of {}", dataset.name, file.path()));
  }
}

void write_stored_chunk(const Dataset& dataset, const std::vector<std::int64_t>& index, std::uint32_t skipped,
                        std::span<const std::byte> bytes) {
  const auto lock = library_lock();
  std::vector<hsize_t> offset;
  for (std::size_t d = 0; d < index.size(); ++d) {
    offset.push_back(static_cast<hsize_t>(index[d] * dataset.info().chunk[d]));
  }
  try {
    call("H5Dwrite_chunk",
         H5Dwrite_chunk(dataset.id(), H5P_DEFAULT, skipped, offset.data(), bytes.size(), bytes.data()));
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("writing chunk ({}) of {} in {}", fmt::join(index, ", "),
                                              dataset.info().name, dataset.info().path));
  }
}

}  // namespace outcrop::io::h5
