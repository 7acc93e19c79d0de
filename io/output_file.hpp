// OutputFile: what a product file is to hold, and the making of its small datasets.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/dtype.hpp"
#include "io/h5/attributes.hpp"

namespace outcrop::io {

namespace h5 {
class File;
}

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
  /// Dimensions before rows and cols whose product is the depth: {D, D} for a matrix a pixel; empty: {depth}.
  std::vector<std::int64_t> leading = {};
  std::int64_t chunk_rows = 0;  ///< 0: contiguous; larger than the image: the image
  std::int64_t chunk_cols = 0;
  std::int64_t chunk_layers = 0;  ///< 0: all, in all leading dimensions; else needs `leading` to be empty
};

/// A dataset that is carried over from another file, without its attributes.
struct CarriedDataset {
  std::string path;  ///< file
  std::string name;
  bool with_values = true;  ///< false: of the same type and shape, but it reads as zeros
};

struct OutputFile {
  std::string path;  ///< final name
  Attributes attributes;
  std::vector<SmallDataset> small;
  std::vector<TiledDataset> tiled;
  std::vector<CarriedDataset> carried = {};
  int group = 0;  ///< files of a group get the same attributes at the end (LateAttribute)
};

/// Shape of the dataset, and of its chunks: empty when it is contiguous.
/// Throws: Errc::internal when its members contradict each other.
std::vector<std::int64_t> shape_of(const TiledDataset& tiled, std::int64_t rows, std::int64_t cols);
std::vector<std::int64_t> chunk_of(const TiledDataset& tiled, std::int64_t rows, std::int64_t cols);

/// Bytes of the dataset in plain form, the chunks beyond the edges of the image whole.
std::int64_t plain_bytes(const TiledDataset& tiled, std::int64_t rows, std::int64_t cols);

/// Attributes, small datasets and carried ones of the file.
void write_small(const h5::File& file, const OutputFile& output);

}  // namespace outcrop::io
