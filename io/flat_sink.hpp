// The TileSink for uncompressed products: HDF5 makes each file and allocates space, contiguous or in chunks; tiles are
// then written to it with pwrite by any thread. Files are `.outcrop/<name>.part` beside their final place until
// commit() renames them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/log.hpp"
#include "io/output_file.hpp"
#include "io/tile_sink.hpp"

namespace outcrop::io {

/// commit() renames the files in the order given: the one that says "done" (the time series) comes last.
std::unique_ptr<TileSink> make_flat_sink(std::int64_t rows, std::int64_t cols, std::vector<OutputFile> files, Log& log);

}  // namespace outcrop::io
