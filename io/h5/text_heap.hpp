// Checks of the heap that holds texts of any length. HDF5 1.10 trusts the sizes in it: damaged ones make it write
// beyond its memory or never come back, so they are looked at before it is asked for such a text.
#pragma once

#include <cstdint>

#include "io/h5/format_reader.hpp"

namespace outcrop::io::h5 {

/// The attributes that are kept in the object header at `address` (not those of the many-attributes form, which has
/// another place). Throws: Errc::corrupt when a text of theirs is not wholly inside its heap.
void check_attribute_texts(const FormatReader& reader, std::uint64_t address);

/// `references`: elements of a dataset of texts, as stored.
void check_texts(const FormatReader& reader, FormatBlock references);

}  // namespace outcrop::io::h5
