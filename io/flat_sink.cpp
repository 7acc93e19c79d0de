// Cuts the tiles into the longest runs that lie together in the file and writes each with one call.
#include "io/flat_sink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include "core/check.hpp"
#include "io/chunked_space.hpp"
#include "io/contents.hpp"
#include "io/h5/writer.hpp"
#include "io/part_file.hpp"

namespace outcrop::io {
namespace {

static_assert(std::endian::native == std::endian::little, "tiles are written as they are in memory");

/// Room for headers and attributes in the check of free space.
constexpr std::int64_t header_bytes = std::int64_t{1} << 20;

/// Where a plane lies on disk.
struct Place {
  std::size_t file = 0;
  std::string dataset;
  std::int64_t offset = 0;             ///< of its first byte, when it is contiguous
  std::optional<ChunkedSpace> chunks;  ///< else
};

class FlatSink final : public TileSink {
 public:
  FlatSink(std::int64_t rows, std::int64_t cols, std::vector<OutputFile> files, Log& log);
  ~FlatSink() override { abandon(); }

  const std::vector<SinkPlane>& planes() const override { return planes_; }
  std::int64_t late_bytes() const override;
  std::int64_t space_bytes() const override;
  void begin() override;
  std::int64_t write(const PlaneBlock& block) override;
  void commit(const std::vector<LateAttribute>& attributes) override;
  void abandon() noexcept override;

 private:
  enum class State { made, begun, ended };

  std::int64_t tiled_bytes(const OutputFile& file) const;
  std::int64_t needed_bytes(const OutputFile& file) const;
  void check_free_space() const;
  void create(std::size_t file, std::size_t first_plane);
  void write_flat(const PlaneBlock& block, const SinkPlane& plane, const Place& place) const;

  std::int64_t rows_;
  std::int64_t cols_;
  std::vector<OutputFile> files_;
  std::vector<PartFile> parts_;
  std::vector<SinkPlane> planes_;
  std::vector<Place> places_;  ///< of each plane
  Log& log_;
  State state_ = State::made;
};

FlatSink::FlatSink(std::int64_t rows, std::int64_t cols, std::vector<OutputFile> files, Log& log)
    : rows_(rows), cols_(cols), files_(std::move(files)), log_(log) {
  OUTCROP_EXPECT(rows > 0 && cols > 0, "outputs need positive sizes");
  std::set<std::string> names;
  for (std::size_t f = 0; f < files_.size(); ++f) {
    if (!names.insert(files_[f].path).second) {
      fail(Errc::usage, fmt::format("two outputs are named {}; give them different names", files_[f].path));
    }
    parts_.emplace_back(files_[f].path);
    for (const auto& tiled : files_[f].tiled) {
      shape_of(tiled, rows, cols);  // checks its members
      planes_.push_back({tiled.plane, tiled.depth, tiled.dtype});
      places_.push_back({f, tiled.name, 0, std::nullopt});
    }
  }
}

std::int64_t FlatSink::tiled_bytes(const OutputFile& file) const {
  std::int64_t bytes = 0;
  for (const auto& tiled : file.tiled) bytes += plain_bytes(tiled, rows_, cols_);
  return bytes;
}

std::int64_t FlatSink::late_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& file : files_) bytes += std::min(tiled_bytes(file), PartFile::writeback_bytes);
  return bytes;
}

/// Of its planes and of what is carried over, as that is stored.
std::int64_t FlatSink::needed_bytes(const OutputFile& file) const {
  std::int64_t bytes = tiled_bytes(file) + header_bytes;
  for (const auto& carried : file.carried) {
    if (carried.with_values) bytes += stored_bytes(carried.path, carried.name).value_or(0);
  }
  return bytes;
}

std::int64_t FlatSink::space_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& file : files_) bytes += needed_bytes(file);
  return bytes;
}

/// Files on the same file system share its space.
void FlatSink::check_free_space() const {
  struct Need {
    std::int64_t bytes = 0;
    std::int64_t free = 0;
    std::string folder;
  };
  std::map<std::uint64_t, Need> needs;
  for (std::size_t f = 0; f < files_.size(); ++f) {
    const auto space = free_space(parts_[f].folder());
    auto& need = needs[space.device];
    need.bytes += needed_bytes(files_[f]);
    need.free = space.bytes;
    need.folder = parts_[f].folder();
  }
  for (const auto& [device, need] : needs) {
    if (need.bytes <= need.free) continue;
    fail(Errc::io, fmt::format("the outputs in {} need {} bytes, {} are free; make room or choose another folder",
                               need.folder, need.bytes, need.free));
  }
}

void FlatSink::create(std::size_t file, std::size_t first_plane) {
  const auto& output = files_[file];
  auto h5_file = h5::File::create(parts_[file].part_path());
  write_small(h5_file, output);
  for (std::size_t t = 0; t < output.tiled.size(); ++t) {
    const auto& tiled = output.tiled[t];
    const h5::NewDataset dataset{tiled.name, shape_of(tiled, rows_, cols_), tiled.attributes};
    const auto chunk = chunk_of(tiled, rows_, cols_);
    if (chunk.empty()) {
      places_[first_plane + t].offset = h5::create_contiguous(h5_file, dataset, tiled.dtype);
    } else {
      h5::create_chunked(h5_file, dataset, tiled.dtype, chunk, {});
    }
  }
  h5_file.close();
  for (std::size_t t = 0; t < output.tiled.size(); ++t) {
    if (output.tiled[t].chunk_rows == 0) continue;
    places_[first_plane + t].chunks =
        ChunkedSpace::open(parts_[file].part_path(), output.tiled[t].name, planes_[first_plane + t]);
  }
  parts_[file].open();
}

void FlatSink::begin() {
  OUTCROP_EXPECT(state_ == State::made, "an output is begun once");
  state_ = State::begun;
  for (auto& part : parts_) part.prepare();
  check_free_space();
  std::size_t plane = 0;
  for (std::size_t f = 0; f < files_.size(); ++f) {
    create(f, plane);
    plane += files_[f].tiled.size();
    log_.detail(fmt::format("writing {} ({} bytes of planes) as {}", files_[f].path, tiled_bytes(files_[f]),
                            parts_[f].part_path()));
  }
}

std::int64_t FlatSink::write(const PlaneBlock& block) {
  OUTCROP_EXPECT(state_ == State::begun, "a tile is written between begin and commit");
  OUTCROP_EXPECT(block.plane >= 0 && static_cast<std::size_t>(block.plane) < planes_.size(), "no such plane");
  const auto& rect = block.rect;
  OUTCROP_EXPECT(rect.row >= 0 && rect.col >= 0 && rect.rows >= 0 && rect.cols >= 0 && rect.row + rect.rows <= rows_ &&
                     rect.col + rect.cols <= cols_,
                 "a tile lies outside its plane");
  const auto& plane = planes_[static_cast<std::size_t>(block.plane)];
  const auto& place = places_[static_cast<std::size_t>(block.plane)];
  if (rect.pixels() == 0) return 0;
  if (place.chunks) {
    place.chunks->write(parts_[place.file], block);
  } else {
    write_flat(block, plane, place);
  }
  return plane.depth * rect.pixels() * size_bytes(plane.dtype);
}

void FlatSink::write_flat(const PlaneBlock& block, const SinkPlane& plane, const Place& place) const {
  const auto& rect = block.rect;
  const auto element = size_bytes(plane.dtype);
  const auto row_bytes = rect.cols * element;
  const bool rows_touch = rect.cols == cols_ && block.row_stride_bytes == row_bytes;
  const std::int64_t rows_a_run = rows_touch ? rect.rows : 1;
  for (std::int64_t layer = 0; layer < plane.depth; ++layer) {
    for (std::int64_t row = 0; row < rect.rows; row += rows_a_run) {
      const auto pixel = (layer * rows_ + rect.row + row) * cols_ + rect.col;
      parts_[place.file].write(block.data + layer * block.layer_stride_bytes + row * block.row_stride_bytes,
                               rows_a_run * row_bytes, place.offset + pixel * element, place.dataset);
    }
  }
}

void FlatSink::commit(const std::vector<LateAttribute>& attributes) {
  OUTCROP_EXPECT(state_ == State::begun, "an output is committed once, after its begin");
  for (std::size_t f = 0; f < files_.size(); ++f) {
    Attributes added;
    for (const auto& late : attributes) {
      if (late.group < 0 || late.group == files_[f].group) added.set(late.name, late.value);
    }
    auto file = h5::File::update(parts_[f].part_path());
    h5::write_attributes(file, added);
    file.close();
    parts_[f].sync();
  }
  for (auto& part : parts_) part.publish();
  state_ = State::ended;
}

void FlatSink::abandon() noexcept {
  if (state_ != State::begun) return;
  state_ = State::ended;
  for (auto& part : parts_) part.remove();
}

}  // namespace

std::unique_ptr<TileSink> make_flat_sink(std::int64_t rows, std::int64_t cols, std::vector<OutputFile> files,
                                         Log& log) {
  return std::make_unique<FlatSink>(rows, cols, std::move(files), log);
}

}  // namespace outcrop::io
