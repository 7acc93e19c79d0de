// Encodes whole chunks and hands them to HDF5, which keeps their index.
#include "io/encoding_sink.hpp"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "core/check.hpp"
#include "io/chunk_grid.hpp"
#include "io/chunked_space.hpp"
#include "io/codec/codec.hpp"
#include "io/h5/call.hpp"
#include "io/h5/dataset.hpp"
#include "io/h5/writer.hpp"
#include "io/part_file.hpp"
#include "io/stored_plane.hpp"

namespace outcrop::io {
namespace {

constexpr unsigned gzip_level = 4;

/// As h5py has them: its revision of the filter, the version of LZF, bytes of a plain chunk.
std::vector<unsigned> lzf_parameters(std::int64_t chunk_bytes) {
  return {4, 0x0105, static_cast<unsigned>(chunk_bytes)};
}

std::vector<codec::FilterSpec> filters_of(const Encoding& encoding, std::int64_t chunk_bytes) {
  std::vector<codec::FilterSpec> filters;
  if (encoding.shuffle) filters.push_back({codec::shuffle_filter, {}});
  if (encoding.compressor == Compressor::gzip) filters.push_back({codec::deflate_filter, {gzip_level}});
  if (encoding.compressor == Compressor::lzf) filters.push_back({codec::lzf_filter, lzf_parameters(chunk_bytes)});
  if (encoding.fletcher32) filters.push_back({codec::fletcher32_filter, {}});
  return filters;
}

class ChunkedFiles final : public EncodingSink {
 public:
  ChunkedFiles(std::int64_t rows, std::int64_t cols, std::vector<OutputFile> files, const Encoding& encoding);
  ~ChunkedFiles() override { abandon(); }

  const std::vector<SinkPlane>& planes() const override { return planes_; }
  void begin() override;
  EncodedBlock encode(const PlaneBlock& block) const override;
  std::int64_t append(const EncodedBlock& block) override;
  void commit(const Attributes& attributes) override;
  void abandon() noexcept override;

 private:
  /// One dataset being written.
  struct Place {
    std::size_t file = 0;
    TiledDataset tiled;
    StoredPlane plane;
    ChunkGrid grid;
    std::vector<codec::FilterSpec> filters;
    std::shared_ptr<const h5::Dataset> dataset;
  };

  void create(std::size_t file);
  void close() noexcept;

  std::vector<OutputFile> files_;
  std::vector<PartFile> parts_;
  std::vector<h5::File> open_files_;
  std::vector<SinkPlane> planes_;
  std::vector<Place> places_;  ///< of each plane
  bool unfinished_ = false;
};

ChunkedFiles::ChunkedFiles(std::int64_t rows, std::int64_t cols, std::vector<OutputFile> files,
                           const Encoding& encoding)
    : files_(std::move(files)) {
  std::set<std::string> names;
  for (std::size_t f = 0; f < files_.size(); ++f) {
    if (!names.insert(files_[f].path).second) {
      fail(Errc::usage, fmt::format("two outputs are named {}; give them different names", files_[f].path));
    }
    parts_.emplace_back(files_[f].path);
    for (const auto& tiled : files_[f].tiled) {
      const auto shape = shape_of(tiled, rows, cols);
      const auto chunk = chunk_of(tiled, rows, cols);
      OUTCROP_EXPECT(!chunk.empty(), "a dataset with filters needs chunks");
      auto plane = written_plane(files_[f].path, tiled.name, shape, chunk, size_bytes(tiled.dtype));
      auto filters = filters_of(encoding, plane.chunk_bytes());
      planes_.push_back({tiled.plane, tiled.depth, tiled.dtype});
      places_.push_back({f, tiled, std::move(plane), ChunkGrid(shape, chunk), std::move(filters), nullptr});
    }
  }
}

void ChunkedFiles::begin() {
  OUTCROP_EXPECT(!unfinished_ && open_files_.empty(), "an output is begun once");
  unfinished_ = true;
  for (auto& part : parts_) part.prepare();
  for (std::size_t f = 0; f < files_.size(); ++f) create(f);
}

void ChunkedFiles::create(std::size_t file) {
  const auto& h5_file = open_files_.emplace_back(h5::File::create(parts_[file].part_path()));
  write_small(h5_file, files_[file]);
  for (auto& place : places_) {
    if (place.file != file) continue;
    std::vector<h5::Filter> filters;
    for (const auto& filter : place.filters) filters.push_back({filter.id, "", filter.parameters});
    h5::create_chunked(h5_file, {place.tiled.name, place.grid.shape(), place.tiled.attributes}, place.tiled.dtype,
                       place.grid.chunk(), filters);
    place.dataset = std::make_shared<const h5::Dataset>(h5::Dataset::open(h5_file, place.tiled.name));
  }
}

EncodedBlock ChunkedFiles::encode(const PlaneBlock& block) const {
  const Place& place = places_[static_cast<std::size_t>(block.plane)];
  EncodedBlock encoded{block.plane, {}};
  std::vector<std::byte> plain;
  for (const TouchedChunk& chunk : touched_chunks(place.plane, block.rect)) {
    OUTCROP_EXPECT(covers_chunk(place.plane, chunk), "a block with filters has whole chunks");
    plain.assign(static_cast<std::size_t>(place.plane.chunk_bytes()), std::byte{0});
    copy_to_chunk(place.plane, block, chunk, plain.data());
    encoded.chunks.push_back({chunk.number, codec::encode(place.filters, plain, place.plane.element.size_bytes)});
  }
  return encoded;
}

std::int64_t ChunkedFiles::append(const EncodedBlock& block) {
  const Place& place = places_[static_cast<std::size_t>(block.plane)];
  OUTCROP_EXPECT(place.dataset != nullptr, "chunks are written between begin and commit");
  std::int64_t bytes = 0;
  for (const auto& [number, stored] : block.chunks) {
    h5::write_stored_chunk(*place.dataset, place.grid.index(number), stored.skipped, stored.bytes);
    bytes += static_cast<std::int64_t>(stored.bytes.size());
  }
  return bytes;
}

void ChunkedFiles::commit(const Attributes& attributes) {
  OUTCROP_EXPECT(unfinished_, "an output is committed once, after its begin");
  for (std::size_t f = 0; f < files_.size(); ++f) {
    h5::write_attributes(open_files_[f], attributes);
    for (auto& place : places_) {
      if (place.file == f) place.dataset.reset();
    }
    open_files_[f].close();
    parts_[f].open();
    parts_[f].sync();
  }
  for (auto& part : parts_) part.publish();
  unfinished_ = false;
}

/// Datasets and files, in that order: a file stays open while one of its datasets is.
void ChunkedFiles::close() noexcept {
  const auto lock = h5::library_lock();
  for (auto& place : places_) place.dataset.reset();
  open_files_.clear();
}

void ChunkedFiles::abandon() noexcept {
  close();
  if (!unfinished_) return;
  unfinished_ = false;
  for (auto& part : parts_) part.remove();
}

}  // namespace

std::unique_ptr<EncodingSink> make_encoding_sink(std::int64_t rows, std::int64_t cols, std::vector<OutputFile> files,
                                                 const Encoding& encoding) {
  return std::make_unique<ChunkedFiles>(rows, cols, std::move(files), encoding);
}

}  // namespace outcrop::io
