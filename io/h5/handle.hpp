// Owners of HDF5 identifiers, one kind each.
#pragma once

#include <hdf5.h>

#include "core/unique_handle.hpp"

namespace outcrop::io::h5 {

template <herr_t (*Close)(hid_t)>
struct HandleTraits {
  using type = hid_t;
  static type none() { return H5I_INVALID_HID; }
  static void close(type id) noexcept { Close(id); }
};

using FileHandle = UniqueHandle<HandleTraits<H5Fclose>>;
using DatasetHandle = UniqueHandle<HandleTraits<H5Dclose>>;
using SpaceHandle = UniqueHandle<HandleTraits<H5Sclose>>;
using TypeHandle = UniqueHandle<HandleTraits<H5Tclose>>;
using PropertyHandle = UniqueHandle<HandleTraits<H5Pclose>>;
using AttributeHandle = UniqueHandle<HandleTraits<H5Aclose>>;
using ObjectHandle = UniqueHandle<HandleTraits<H5Oclose>>;

}  // namespace outcrop::io::h5
