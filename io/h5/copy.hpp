// Datasets carried from one HDF5 file into another as they are.
#pragma once

#include <string>

#include "io/h5/file.hpp"

namespace outcrop::io::h5 {

/// A root dataset with its type, storage and values, without its attributes. Filters need not be known to HDF5.
/// Throws: Errc::io naming files and dataset.
void copy_dataset(const File& from, const File& to, const std::string& name);

/// A root dataset of the same type and shape without values: it reads as zeros and takes no space.
void create_unfilled(const File& from, const File& to, const std::string& name);

}  // namespace outcrop::io::h5
