// Reads whole chunks, neighbours in the file with one call, and decodes each on its own.
#include "io/chunk_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/error.hpp"
#include "io/h5/library_reader.hpp"

namespace outcrop::io {
namespace {

constexpr std::int64_t alignment = 64;

/// Before the bytes of a chunk that HDF5 read, the raw area holds the mask that came with them.
constexpr std::int64_t mask_bytes = 8;

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// A chunk under the tile. `stored` is nullptr when it was never written.
struct Piece {
  TouchedChunk chunk;
  const h5::StoredChunk* stored = nullptr;
  std::int64_t raw_offset = 0;
};

/// A chunk's bytes in memory.
struct LoadedChunk {
  std::span<const std::byte> bytes;
  std::uint32_t skipped_filters = 0;
};

}  // namespace

class ChunkTile final : public PlaneTile {
 public:
  ChunkTile(const ChunkReader& reader, const TileRect& rect) : reader_(reader), rect_(rect) {
    for (const TouchedChunk& chunk : touched_chunks(reader.plane_, rect)) {
      pieces_.push_back({chunk, reader.storage_.index.find(chunk.number), 0});
    }
    std::stable_sort(pieces_.begin(), pieces_.end(),
                     [](const Piece& a, const Piece& b) { return place(a) < place(b); });
    if (reader.read_in_decode_) return;
    for (Piece& piece : pieces_) {
      piece.raw_offset = raw_bytes_;
      if (piece.stored != nullptr) raw_bytes_ += piece.stored->bytes + prefix_bytes(*piece.stored);
    }
  }

  std::int64_t raw_bytes() const override { return raw_bytes_; }
  std::int64_t num_jobs() const override { return static_cast<std::int64_t>(pieces_.size()); }

  bool is_near() const override {
    if (reader_.read_in_decode_) return true;
    return are_probes_near(pieces_.size(), [this](std::size_t i) {
      const h5::StoredChunk* stored = pieces_[i].stored;
      if (stored == nullptr) return true;
      return !is_library_only(*stored) && reader_.storage_.file->is_near(stored->address, stored->bytes);
    });
  }

  DecodeVolume decode_volume(bool fetched) const override {
    DecodeVolume volume;
    for (const Piece& piece : pieces_) {
      const bool whole = piece.stored != nullptr;
      const TileRect pixels = whole ? pixels_of(reader_.plane_, piece.chunk.number) : piece.chunk.part;
      const auto layers = reader_.plane_.groups[static_cast<std::size_t>(piece.chunk.group)].layers.size();
      volume.decoded += static_cast<std::int64_t>(layers * sizeof(float)) * pixels.pixels();
      if (whole && !fetched) volume.read += piece.stored->bytes;
    }
    return volume;
  }

  std::int64_t fetch(std::span<std::byte> raw, const View<float, 2>&) const override {
    for_each_run([this](std::size_t begin, std::size_t end) { announce_run(begin, end); });
    std::int64_t read = 0;
    for_each_run([&](std::size_t begin, std::size_t end) { read += fetch_run(begin, end, raw); });
    return read;
  }

  void decode(std::int64_t job, const FetchedBytes& raw, const View<float, 2>& out,
              std::span<std::byte> scratch) const override {
    const Piece& piece = pieces_[static_cast<std::size_t>(job)];
    if (piece.stored == nullptr) {
      put_fill(reader_.plane_, piece.chunk, rect_, out);
      return;
    }
    const auto first = scratch.first(static_cast<std::size_t>(reader_.first_bytes_));
    const auto second = scratch.subspan(first.size(), static_cast<std::size_t>(reader_.second_bytes_));
    try {
      const LoadedChunk loaded = raw ? find(piece, *raw) : load(*piece.stored, second);
      scatter(piece.chunk, reader_.storage_.pipeline.decode(loaded.bytes, loaded.skipped_filters, first, second), out);
    } catch (Error& error) {
      throw std::move(error).within(fmt::format("decoding {} of {} in {}",
                                                reader_.storage_.index.grid().place(piece.stored->number),
                                                reader_.plane_.dataset, reader_.plane_.path));
    }
  }

 private:
  static std::pair<std::int64_t, std::int64_t> place(const Piece& piece) {
    return {piece.stored != nullptr ? piece.stored->address : -1, piece.chunk.number};
  }

  static bool is_library_only(const h5::StoredChunk& stored) { return stored.address == h5::library_only; }
  static std::int64_t prefix_bytes(const h5::StoredChunk& stored) { return is_library_only(stored) ? mask_bytes : 0; }

  /// Pieces [begin, end) lie one after the other in the file and, being sorted by address, in the raw area.
  std::size_t end_of_run(std::size_t begin) const {
    std::size_t end = begin + 1;
    if (pieces_[begin].stored == nullptr || is_library_only(*pieces_[begin].stored)) return end;
    while (end < pieces_.size() &&
           pieces_[end].stored->address == pieces_[end - 1].stored->address + pieces_[end - 1].stored->bytes) {
      ++end;
    }
    return end;
  }

  template <class Use>
  void for_each_run(const Use& use) const {
    for (std::size_t i = 0; i < pieces_.size();) {
      const std::size_t end = end_of_run(i);
      if (pieces_[i].stored != nullptr) use(i, end);
      i = end;
    }
  }

  std::int64_t run_bytes(std::size_t begin, std::size_t end) const {
    const h5::StoredChunk& back = *pieces_[end - 1].stored;
    return back.address + back.bytes - pieces_[begin].stored->address;
  }

  void announce_run(std::size_t begin, std::size_t end) const {
    const h5::StoredChunk& front = *pieces_[begin].stored;
    if (!is_library_only(front)) reader_.storage_.file->announce(front.address, run_bytes(begin, end));
  }

  std::int64_t fetch_run(std::size_t begin, std::size_t end, std::span<std::byte> raw) const {
    const h5::StoredChunk& front = *pieces_[begin].stored;
    const auto offset = static_cast<std::size_t>(pieces_[begin].raw_offset);
    if (is_library_only(front)) {
      load(front, raw.subspan(offset, static_cast<std::size_t>(mask_bytes + front.bytes)));
      return front.bytes;
    }
    const std::int64_t bytes = run_bytes(begin, end);
    reader_.storage_.file->read(front.address, raw.subspan(offset, static_cast<std::size_t>(bytes)),
                                reader_.plane_.dataset);
    return bytes;
  }

  /// Reads one chunk into `memory`, the mask before it when it came through HDF5.
  LoadedChunk load(const h5::StoredChunk& stored, std::span<std::byte> memory) const {
    const auto bytes =
        memory.subspan(static_cast<std::size_t>(prefix_bytes(stored)), static_cast<std::size_t>(stored.bytes));
    if (!is_library_only(stored)) {
      // What is always read here nobody asked the system for.
      const auto read = reader_.read_in_decode_ ? &StoredFile::read : &StoredFile::read_near;
      (*reader_.storage_.file.*read)(stored.address, bytes, reader_.plane_.dataset);
      return {bytes, stored.skipped_filters};
    }
    const auto index = reader_.storage_.index.grid().index(stored.number);
    const std::uint32_t skipped =
        stored.skipped_filters | h5::read_stored_chunk(*reader_.storage_.dataset, index, bytes);
    std::memcpy(memory.data(), &skipped, sizeof skipped);
    return {bytes, skipped};
  }

  LoadedChunk find(const Piece& piece, std::span<const std::byte> raw) const {
    const h5::StoredChunk& stored = *piece.stored;
    const auto at = raw.subspan(static_cast<std::size_t>(piece.raw_offset));
    LoadedChunk loaded{
        at.subspan(static_cast<std::size_t>(prefix_bytes(stored)), static_cast<std::size_t>(stored.bytes)),
        stored.skipped_filters};
    if (is_library_only(stored)) std::memcpy(&loaded.skipped_filters, at.data(), sizeof loaded.skipped_filters);
    return loaded;
  }

  void scatter(const TouchedChunk& chunk, std::span<const std::byte> plain, const View<float, 2>& out) const {
    const StoredPlane& plane = reader_.plane_;
    const std::int64_t row_bytes = plane.chunk.cols * plane.element.size_bytes;
    for (const WantedLayer& wanted : plane.groups[static_cast<std::size_t>(chunk.group)].layers) {
      const std::int64_t row = wanted.in_chunk * plane.chunk.rows + chunk.row;
      put_rows(plane.element, plain.data() + row * row_bytes + chunk.col * plane.element.size_bytes, row_bytes,
               chunk.part, rect_, wanted.in_plane, out);
    }
  }

  const ChunkReader& reader_;
  TileRect rect_;
  std::vector<Piece> pieces_;  ///< by address; those never written first
  std::int64_t raw_bytes_ = 0;
};

ChunkReader::ChunkReader(StoredPlane plane, ChunkStorage storage, bool read_in_decode)
    : plane_(std::move(plane)), storage_(std::move(storage)), read_in_decode_(read_in_decode) {
  const std::int64_t buffer_bytes = aligned(storage_.pipeline.buffer_bytes());
  first_bytes_ = storage_.pipeline.empty() ? 0 : buffer_bytes;
  second_bytes_ = storage_.pipeline.needs_second() ? buffer_bytes : 0;
  second_bytes_ = std::max(second_bytes_, aligned(storage_.index.largest_bytes() + mask_bytes));
}

StoredVolume ChunkReader::stored() const {
  StoredVolume volume;
  for (const h5::StoredChunk& chunk : storage_.index.chunks()) {
    if (find_group(plane_, chunk.number) == nullptr) continue;
    volume.bytes += chunk.bytes;
    ++volume.chunks;
    if (storage_.pipeline.is_packed(chunk.skipped_filters)) ++volume.packed;
  }
  return volume;
}

std::unique_ptr<PlaneTile> ChunkReader::tile(const TileRect& rect) const {
  return std::make_unique<ChunkTile>(*this, rect);
}

}  // namespace outcrop::io
