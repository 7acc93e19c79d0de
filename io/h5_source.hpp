// The TileSource over HDF5 files: chunk index, preads and our own decoders; HDF5 itself only while it is made, and for
// the few layouts that nothing else can read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/log.hpp"
#include "io/tile_source.hpp"

namespace outcrop::io {

/// One input plane: layers of a 3-D dataset, or a 2-D one.
struct PlaneRequest {
  std::string name;                  ///< the step's name for it
  std::string path;                  ///< file
  std::string dataset;               ///< root dataset [layers, rows, cols] or [rows, cols]
  std::vector<std::int64_t> layers;  ///< which, in plane order; must be empty for a 2-D dataset
};

struct SourceOptions {
  bool allow_external = false;  ///< follow external storage and links out of the input's folder
  bool read_near = true;        ///< leave to decode() what the system has in memory
};

/// Opens and indexes everything; all planes must have the same rows and cols.
/// Throws: Errc::input / Errc::unsupported naming file, dataset and filter or layout.
std::unique_ptr<TileSource> make_h5_source(const std::vector<PlaneRequest>& planes, const SourceOptions& options,
                                           Log& log);

/// [layers][pixels of rect] float32 of one dataset, read in steps of one chunk so that memory stays at one chunk,
/// however the dataset is chunked. For the few values that are needed before the run.
std::vector<float> read_rect(const PlaneRequest& plane, const TileRect& rect, const SourceOptions& options, Log& log);

}  // namespace outcrop::io
