// Teaches the HDF5 library to read h5py's LZF filter, for the small datasets that it reads for us.
#pragma once

namespace outcrop::io::h5 {

/// Expects: the library's lock. Datasets with this filter can be made; the library itself compresses nothing with it.
void register_lzf_filter();

}  // namespace outcrop::io::h5
