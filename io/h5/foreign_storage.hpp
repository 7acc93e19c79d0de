// Datasets whose values lie in other files: where, and whether they may be followed there.
#pragma once

#include "io/h5/dataset.hpp"

namespace outcrop::io::h5 {

/// A virtual dataset whose sources are all there and in the folder of its file (or below) is fine; external links,
/// external storage and other virtual sources only with `allow_external`. Sources are looked at in the same way.
/// Throws: Errc::input when that is not so or something is missing; Errc::corrupt when an external file is too short.
void check_foreign_storage(const File& file, const Dataset& dataset, bool allow_external);

}  // namespace outcrop::io::h5
