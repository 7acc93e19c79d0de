// The TileSink for uncompressed products: HDF5 makes each file and allocates contiguous space; tiles are then written
// to it with pwrite by any thread. Files are `.outcrop/<name>.part` beside their final place until commit() renames
// them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/log.hpp"
#include "io/h5/attributes.hpp"
#include "io/tile_sink.hpp"

namespace outcrop::io {

/// A dataset that is written whole when the file is made.
struct SmallDataset {
  std::string name;
  /// Strings become fixed-length, null-padded, of the longest one's length (h5py's S8); bools h5py's enum of int8.
  std::variant<std::vector<std::string>, std::vector<float>, std::vector<bool>> values;
  std::vector<std::int64_t> shape;  ///< empty: 1-D
  Attributes attributes;            ///< of the dataset
};

/// A dataset that is filled tile by tile: [depth, rows, cols], or [rows, cols] when the plane is a map.
struct TiledDataset {
  std::string name;
  std::string plane;  ///< the step's name for the output plane
  std::int64_t depth = 1;
  bool is_map = true;  ///< 2-D; needs depth 1
  DType dtype = DType::f32;
  Attributes attributes;  ///< of the dataset
};

struct OutputFile {
  std::string path;  ///< final name
  Attributes attributes;
  std::vector<SmallDataset> small;
  std::vector<TiledDataset> tiled;
};

/// commit() renames the files in the order given: the one that says "done" (the time series) comes last.
std::unique_ptr<TileSink> make_flat_sink(std::int64_t rows, std::int64_t cols, std::vector<OutputFile> files, Log& log);

}  // namespace outcrop::io
