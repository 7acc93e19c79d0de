// TileSource: where a step's input planes come from, tile by tile. Split where the work splits: fetch() moves stored
// bytes and waits for storage, decode() turns them into planes and uses the processor.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "core/tile.hpp"
#include "core/view.hpp"

namespace outcrop::io {

/// What chunks are compressed with, as far as it decides how fast they are decoded.
enum class Packing { none, lzf, gzip, other };

/// One input plane as it is stored.
struct PlaneInfo {
  std::string name;     ///< the step's name for it
  std::string path;     ///< file
  std::string dataset;  ///< inside the file
  std::int64_t depth = 1;
  std::int64_t chunk_rows = 0;  ///< 0: not chunked in rows and columns (contiguous)
  std::int64_t chunk_cols = 0;
  std::string storage;             ///< for people: "chunks 16 x 63 x 54, gzip + shuffle, float32"
  bool integers = false;           ///< stored as integers
  std::int64_t needed_bytes = 0;   ///< stored bytes of the layers in use
  std::int64_t decoded_bytes = 0;  ///< depth x rows x cols x 4
  Packing packing = Packing::none;
  std::int64_t chunks = 0;         ///< in use and read one by one; 0: data without filters
  std::int64_t packed_chunks = 0;  ///< of them; the others are stored as they are, since packing made them no shorter
  bool direct = false;             ///< tiles of full width are read straight into planes, with nothing left to decode
  bool shuffled = false;           ///< the bytes of a chunk's elements are sorted
  /// Its chunks are so large that they are read and decoded anew for each tile they touch, inside decode(); chunk_rows
  /// and chunk_cols are 0. Tiles of full width, as high as memory allows, make it cheapest.
  bool redecoded = false;
};

struct SourceInfo {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<PlaneInfo> planes;
};

/// What one decode() did. A chunk that several tiles touch counts for each of them.
struct DecodeVolume {
  std::int64_t read = 0;  ///< bytes read, of what fetch() left to be read
  std::int64_t decoded =
      0;  ///< bytes of the wanted layers as float32; of compressed chunks the parts beyond the tile too
};

class TileSource {
 public:
  virtual ~TileSource() = default;

  virtual const SourceInfo& describe() const = 0;

  /// Bytes that fetch() needs in the raw area for this tile.
  virtual std::int64_t raw_bytes(const TileRect& rect) const = 0;

  /// Bytes of scratch that decode() needs for each worker.
  virtual std::int64_t scratch_bytes() const = 0;

  /// Reads the stored bytes of all planes of a tile into `raw`, or straight into `planes`, which are those of the
  /// decode() that follows, where they are stored as they are wanted. What the system has in memory is left for
  /// decode() to read. Blocks on storage; any thread, several at once. Gives: bytes read. Throws: Errc::io with path,
  /// dataset and offset.
  virtual std::int64_t fetch(const TileRect& rect, std::span<std::byte> raw,
                             std::span<const View<float, 2>> planes) const = 0;

  /// Decodes what fetch() put into `raw` into `planes`, reads what it did not, and leaves what it put there, in the
  /// order of describe().planes: [depth, pixels of the tile], native float32, missing chunks as the fill value.
  /// `scratch` has concurrency() x scratch_bytes(). Any thread, several tiles at once. Throws: Errc::corrupt with path,
  /// dataset and chunk.
  virtual DecodeVolume decode(const TileRect& rect, std::span<const std::byte> raw,
                              std::span<const View<float, 2>> planes, std::span<std::byte> scratch,
                              const ParallelFor& parallel) const = 0;
};

}  // namespace outcrop::io
