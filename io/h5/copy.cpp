// Datasets carried from one HDF5 file into another as they are.
#include "io/h5/copy.hpp"

#include <fmt/format.h>

#include <utility>

#include "io/h5/call.hpp"

namespace outcrop::io::h5 {
namespace {

DatasetHandle open(const File& file, const std::string& name) {
  return DatasetHandle(call("H5Dopen2", H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT)));
}

std::string context(const File& from, const File& to, const std::string& name) {
  return fmt::format("carrying dataset {} of {} into {}", name, from.path(), to.path());
}

}  // namespace

void copy_dataset(const File& from, const File& to, const std::string& name) {
  const auto lock = library_lock();
  try {
    const PropertyHandle how(call("H5Pcreate", H5Pcreate(H5P_OBJECT_COPY)));
    call("H5Pset_copy_object", H5Pset_copy_object(how.get(), H5O_COPY_WITHOUT_ATTR_FLAG));
    call("H5Ocopy", H5Ocopy(from.id(), name.c_str(), to.id(), name.c_str(), how.get(), H5P_DEFAULT));
  } catch (Error& error) {
    throw std::move(error).within(context(from, to, name));
  }
}

void create_unfilled(const File& from, const File& to, const std::string& name) {
  const auto lock = library_lock();
  try {
    const auto source = open(from, name);
    const TypeHandle type(call("H5Dget_type", H5Dget_type(source.get())));
    const SpaceHandle stored(call("H5Dget_space", H5Dget_space(source.get())));
    hsize_t sizes[H5S_MAX_RANK] = {};
    const int rank = call("H5Sget_simple_extent_dims", H5Sget_simple_extent_dims(stored.get(), sizes, nullptr));
    // Of a fixed size: contiguous storage cannot grow.
    const SpaceHandle space(call("H5Screate_simple", H5Screate_simple(rank, sizes, nullptr)));
    const PropertyHandle creation(call("H5Pcreate", H5Pcreate(H5P_DATASET_CREATE)));
    call("H5Pset_obj_track_times", H5Pset_obj_track_times(creation.get(), false));
    const DatasetHandle made(call("H5Dcreate2", H5Dcreate2(to.id(), name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                                           creation.get(), H5P_DEFAULT)));
  } catch (Error& error) {
    throw std::move(error).within(context(from, to, name));
  }
}

}  // namespace outcrop::io::h5
