// Where an open object lies: in which file, at which address, in what numbers.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>

#include "io/h5/format_reader.hpp"

namespace outcrop::io::h5 {

/// The file that holds the object: another one than was opened when the way leads through an external link.
/// For all three the caller holds library_lock(). Throws: Errc::io when HDF5 refuses.
std::string holding_file(hid_t object);

/// What the superblock of that file says.
FileFormat file_format(hid_t object);

/// Of the object header, relative to the base address.
std::uint64_t header_address(hid_t object);

}  // namespace outcrop::io::h5
