// What an HDF5 file holds, for programs that look at whole files: names, sizes, texts, and numbers block by block.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/log.hpp"
#include "core/tile.hpp"
#include "io/h5/attributes.hpp"

namespace outcrop::io {

enum class ValueKind { numbers, text, other };

/// A root dataset.
struct DatasetContents {
  std::string name;
  std::vector<std::int64_t> shape;
  ValueKind kind = ValueKind::other;
  std::string storage;           ///< for people: "chunks 16 x 63 x 54, gzip + shuffle, float32"
  std::int64_t plain_bytes = 0;  ///< without filters and padding; 0 for texts of any length
  Attributes attributes;
};

struct Contents {
  std::string path;
  std::string kind;  ///< as MintPy judges: ifgramStack, geometry, timeseries ...; empty when nothing tells
  Attributes attributes;
  std::vector<DatasetContents> datasets;  ///< by name

  const DatasetContents* find(const std::string& name) const;
};

/// Headers only. Throws Errc::input naming the file.
Contents read_contents(const std::string& path);

/// Bytes that a dataset takes in the file, its chunks added up; nullopt when they lie elsewhere or cannot be told.
/// Throws: Errc::corrupt naming file and dataset when its chunk index makes no sense.
std::optional<std::int64_t> stored_bytes(const std::string& path, const std::string& dataset);

/// All texts of a dataset, row-major. Limited to 10^7.
std::vector<std::string> read_texts(const std::string& path, const std::string& dataset);

/// Numbers of any rank seen as [layers, rows, cols]: leading dimensions are layers; one dimension is rows; none one
/// pixel.
class BlockReader {
 public:
  virtual ~BlockReader() = default;
  virtual std::int64_t layers() const = 0;
  virtual std::int64_t rows() const = 0;
  virtual std::int64_t cols() const = 0;
  virtual std::int64_t chunk_rows()
      const = 0;  ///< blocks of a multiple of it are read fastest; 1 when it does not matter

  /// [layers][pixels of rect]. Float and integer images are read as float32, all else as double.
  virtual std::vector<double> read(const TileRect& rect) const = 0;
};

/// Throws Errc::input / Errc::unsupported naming file and dataset.
std::unique_ptr<BlockReader> open_blocks(const std::string& path, const std::string& dataset, Log& log);

}  // namespace outcrop::io
