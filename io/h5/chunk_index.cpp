// Lists all chunks of a dataset by the fastest way that the file and the library allow.
#include "io/h5/chunk_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/check.hpp"
#include "io/h5/call.hpp"
#include "io/h5/chunk_btree.hpp"
#include "io/h5/library_reader.hpp"
#include "io/h5/object_header.hpp"
#include "io/h5/object_place.hpp"

namespace outcrop::io::h5 {
namespace {

/// H5Dget_chunk_info takes time in proportion to the number of chunks, each time.
constexpr std::int64_t most_single_questions = 4096;
constexpr std::int64_t most_compared_bytes = std::int64_t{1} << 20;

/// nullopt: the dataset has a newer kind of index.
std::optional<std::vector<StoredChunk>> by_btree(const Dataset& dataset, const StoredFile& stored,
                                                 const ChunkGrid& grid) {
  const FormatReader reader(stored, file_format(dataset.id()), dataset.info().name);
  const ChunkedLayout layout = read_chunked_layout(reader, header_address(dataset.id()));
  if (!layout.is_btree_v1) return std::nullopt;
  if (!layout.address) return std::vector<StoredChunk>{};
  return read_chunk_btree(reader, *layout.address, grid);
}

std::int64_t number_at(const ChunkGrid& grid, const hsize_t* offset) {
  std::vector<std::int64_t> index;
  for (std::size_t d = 0; d < grid.rank(); ++d) index.push_back(static_cast<std::int64_t>(offset[d]) / grid.chunk()[d]);
  return grid.number(index);
}

#if H5_VERSION_GE(1, 14, 0)
struct Listing {
  const ChunkGrid* grid = nullptr;
  std::vector<StoredChunk> chunks;
};

/// H5Dchunk_iter callback.
int list_chunk(const hsize_t* offset, unsigned skipped, haddr_t address, hsize_t bytes, void* data) {
  auto& listing = *static_cast<Listing*>(data);
  listing.chunks.push_back({number_at(*listing.grid, offset), static_cast<std::int64_t>(address),
                            static_cast<std::int64_t>(bytes), skipped});
  return 0;
}

std::optional<std::vector<StoredChunk>> by_iteration(const Dataset& dataset, const ChunkGrid& grid) {
  Listing listing{&grid, {}};
  call("H5Dchunk_iter", H5Dchunk_iter(dataset.id(), H5P_DEFAULT, list_chunk, &listing));
  return std::move(listing.chunks);
}
#else
std::optional<std::vector<StoredChunk>> by_iteration(const Dataset&, const ChunkGrid&) { return std::nullopt; }
#endif

std::optional<std::vector<StoredChunk>> by_each_chunk(const Dataset& dataset, const ChunkGrid& grid) {
  const SpaceHandle space(call("H5Dget_space", H5Dget_space(dataset.id())));
  hsize_t count = 0;
  call("H5Dget_num_chunks", H5Dget_num_chunks(dataset.id(), space.get(), &count));
  if (count > static_cast<hsize_t>(most_single_questions)) return std::nullopt;
  std::vector<StoredChunk> chunks;
  std::vector<hsize_t> offset(grid.rank());
  for (hsize_t i = 0; i < count; ++i) {
    unsigned skipped = 0;
    haddr_t address = 0;
    hsize_t bytes = 0;
    call("H5Dget_chunk_info",
         H5Dget_chunk_info(dataset.id(), space.get(), i, offset.data(), &skipped, &address, &bytes));
    chunks.push_back({number_at(grid, offset.data()), static_cast<std::int64_t>(address),
                      static_cast<std::int64_t>(bytes), skipped});
  }
  return chunks;
}

std::vector<StoredChunk> by_sizes_only(const Dataset& dataset, const ChunkGrid& grid) {
  std::vector<StoredChunk> chunks;
  for (std::int64_t number = 0; number < grid.num_chunks(); ++number) {
    const std::int64_t bytes = stored_chunk_bytes(dataset, grid.index(number));
    if (bytes > 0) chunks.push_back({number, library_only, bytes, 0});
  }
  return chunks;
}

/// Whether the chunk is what HDF5 itself finds: the same size and, where the chunk is not large, the same bytes.
bool is_confirmed(const Dataset& dataset, const StoredFile& stored, const ChunkGrid& grid, const StoredChunk& chunk) {
  const auto index = grid.index(chunk.number);
  if (stored_chunk_bytes(dataset, index) != chunk.bytes) return false;
  if (chunk.bytes > most_compared_bytes) return true;
  std::vector<std::byte> ours(static_cast<std::size_t>(chunk.bytes));
  std::vector<std::byte> theirs(ours.size());
  const std::uint32_t skipped = read_stored_chunk(dataset, index, theirs);
  stored.read(chunk.address, ours, dataset.info().name);
  return skipped == chunk.skipped_filters && ours == theirs;
}

bool is_inside(const StoredFile& stored, const StoredChunk& chunk) {
  return chunk.address >= 0 && chunk.bytes > 0 && chunk.bytes <= stored.size_bytes() &&
         chunk.address <= stored.size_bytes() - chunk.bytes;
}

/// All chunks lie in the file; the first, the middle and the last one are looked at.
bool is_confirmed(const Dataset& dataset, const StoredFile& stored, const ChunkIndex& index) {
  const auto& chunks = index.chunks();
  if (chunks.empty()) return true;
  const auto inside = [&](const StoredChunk& chunk) { return is_inside(stored, chunk); };
  if (!std::all_of(chunks.begin(), chunks.end(), inside)) return false;
  for (const std::size_t i : {std::size_t{0}, chunks.size() / 2, chunks.size() - 1}) {
    if (!is_confirmed(dataset, stored, index.grid(), chunks[i])) return false;
  }
  return true;
}

/// Edge chunks are not filtered when the dataset was made so, whatever their mask says.
void mark_unfiltered_edges(const Dataset& dataset, const ChunkGrid& grid, std::vector<StoredChunk>& chunks) {
  const PropertyHandle creation(call("H5Dget_create_plist", H5Dget_create_plist(dataset.id())));
  unsigned options = 0;
  call("H5Pget_chunk_opts", H5Pget_chunk_opts(creation.get(), &options));
  if ((options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) == 0) return;
  for (StoredChunk& chunk : chunks) {
    const auto index = grid.index(chunk.number);
    for (std::size_t d = 0; d < index.size(); ++d) {
      if ((index[d] + 1) * grid.chunk()[d] > grid.shape()[d]) chunk.skipped_filters = ~std::uint32_t{0};
    }
  }
}

using Chunks = std::vector<StoredChunk>;

ChunkIndex make_index(const Dataset& dataset, const ChunkGrid& grid, Chunks chunks) {
  std::sort(chunks.begin(), chunks.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  const auto same = [](const auto& a, const auto& b) { return a.number == b.number; };
  const auto twice = std::adjacent_find(chunks.begin(), chunks.end(), same);
  if (twice != chunks.end()) {
    fail(Errc::corrupt, fmt::format("reading how {} in {} is stored failed: its chunk index has {} twice; the file is "
                                    "damaged, copy or make it again",
                                    dataset.info().name, dataset.info().path, grid.place(twice->number)));
  }
  return {grid, std::move(chunks)};
}

/// nullopt: this way does not lead to the chunks that HDF5 itself finds.
std::optional<IndexResult> confirmed(const Dataset& dataset, const StoredFile& stored, const ChunkGrid& grid,
                                     std::optional<Chunks> chunks, IndexWay way) {
  if (!chunks) return std::nullopt;
  ChunkIndex index = make_index(dataset, grid, *std::move(chunks));
  if (!is_confirmed(dataset, stored, index)) return std::nullopt;
  Chunks marked = index.chunks();
  mark_unfiltered_edges(dataset, grid, marked);
  return IndexResult{ChunkIndex(grid, std::move(marked)), way};
}

/// What the library says of a damaged index names no file.
template <class Body>
auto asking(const Dataset& dataset, const Body& body) {
  try {
    return body();
  } catch (Error& error) {
    throw std::move(error).within(
        fmt::format("listing the chunks of {} in {}", dataset.info().name, dataset.info().path));
  }
}

}  // namespace

ChunkIndex::ChunkIndex(ChunkGrid grid, std::vector<StoredChunk> chunks)
    : grid_(std::move(grid)), chunks_(std::move(chunks)) {
  OUTCROP_EXPECT(
      std::is_sorted(chunks_.begin(), chunks_.end(), [](const auto& a, const auto& b) { return a.number < b.number; }),
      "the chunks of an index must be sorted by number");
}

const StoredChunk* ChunkIndex::find(std::int64_t number) const {
  const auto at = std::lower_bound(chunks_.begin(), chunks_.end(), number,
                                   [](const StoredChunk& chunk, std::int64_t n) { return chunk.number < n; });
  return at != chunks_.end() && at->number == number ? &*at : nullptr;
}

std::int64_t ChunkIndex::largest_bytes() const {
  std::int64_t largest = 0;
  for (const StoredChunk& chunk : chunks_) largest = std::max(largest, chunk.bytes);
  return largest;
}

IndexResult build_chunk_index(const Dataset& dataset, const StoredFile& stored) {
  const auto lock = library_lock();
  const ChunkGrid grid(dataset.info().shape, dataset.info().chunk);
  if (auto found = confirmed(dataset, stored, grid, by_btree(dataset, stored, grid), IndexWay::btree)) {
    return *std::move(found);
  }
  if (auto found = confirmed(dataset, stored, grid, asking(dataset, [&] { return by_iteration(dataset, grid); }),
                             IndexWay::iteration)) {
    return *std::move(found);
  }
  if (auto found = confirmed(dataset, stored, grid, asking(dataset, [&] { return by_each_chunk(dataset, grid); }),
                             IndexWay::each_chunk)) {
    return *std::move(found);
  }
  Chunks chunks = asking(dataset, [&] { return by_sizes_only(dataset, grid); });
  mark_unfiltered_edges(dataset, grid, chunks);
  return {make_index(dataset, grid, std::move(chunks)), IndexWay::sizes_only};
}

}  // namespace outcrop::io::h5
