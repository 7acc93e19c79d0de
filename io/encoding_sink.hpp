// EncodingSink: products in filtered chunks. Encoding is any thread's work; the chunks then go into the file in one
// order, which is what makes equal contents equal bytes. Files are `.outcrop/<name>.part` until commit() renames them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "io/codec/encode.hpp"
#include "io/output_file.hpp"
#include "io/tile_sink.hpp"

namespace outcrop::io {

enum class Compressor { none, lzf, gzip };

/// How chunks are stored; filters in the order shuffle, compressor, checksum, as h5py has them.
struct Encoding {
  Compressor compressor = Compressor::none;
  bool shuffle = false;
  bool fletcher32 = false;

  bool is_plain() const { return compressor == Compressor::none && !shuffle && !fletcher32; }
};

/// The chunks of one plane under one rectangle, as they are to be stored.
struct EncodedBlock {
  struct Chunk {
    std::int64_t number = 0;
    codec::EncodedBytes stored;
  };
  int plane = 0;
  std::vector<Chunk> chunks;
};

class EncodingSink {
 public:
  virtual ~EncodingSink() = default;  ///< abandons what was not committed

  virtual const std::vector<SinkPlane>& planes() const = 0;

  virtual void begin() = 0;

  /// Encodes all layers of a rectangle of whole chunks (cut only by the edges of the image). Any thread.
  virtual EncodedBlock encode(const PlaneBlock& block) const = 0;

  /// Puts the chunks at the end of their file. One thread at a time. Gives: bytes written.
  virtual std::int64_t append(const EncodedBlock& block) = 0;

  virtual void commit(const Attributes& attributes) = 0;  ///< see TileSink
  virtual void abandon() noexcept = 0;                    ///< see TileSink
};

/// All tiled datasets have chunks. Throws: Errc::usage when two files have one name.
std::unique_ptr<EncodingSink> make_encoding_sink(std::int64_t rows, std::int64_t cols, std::vector<OutputFile> files,
                                                 const Encoding& encoding);

}  // namespace outcrop::io
