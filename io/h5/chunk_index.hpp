// ChunkIndex: where every chunk of a dataset lies in its file. Built once, before the first tile is read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/chunk_grid.hpp"
#include "io/h5/dataset.hpp"
#include "io/stored_file.hpp"

namespace outcrop::io::h5 {

/// The address of a chunk whose place only HDF5 knows: it is read with read_stored_chunk().
inline constexpr std::int64_t library_only = -1;

struct StoredChunk {
  std::int64_t number = 0;              ///< in the grid
  std::int64_t address = library_only;  ///< file offset, user block included
  std::int64_t bytes = 0;               ///< as stored, > 0
  std::uint32_t skipped_filters = 0;    ///< bit i: filter i was not applied; unknown where only HDF5 knows the address
};

/// Immutable; any thread.
class ChunkIndex {
 public:
  ChunkIndex() = default;

  /// Expects: chunks by number, no number twice.
  ChunkIndex(ChunkGrid grid, std::vector<StoredChunk> chunks);

  const ChunkGrid& grid() const { return grid_; }
  const std::vector<StoredChunk>& chunks() const { return chunks_; }  ///< by number

  /// nullptr for a chunk that was never written: its elements have the fill value.
  const StoredChunk* find(std::int64_t number) const;

  bool needs_library() const { return !chunks_.empty() && chunks_.front().address == library_only; }
  std::int64_t largest_bytes() const;

 private:
  ChunkGrid grid_;
  std::vector<StoredChunk> chunks_;
};

/// How the index of a dataset was had.
enum class IndexWay {
  btree,       ///< from the file itself
  iteration,   ///< H5Dchunk_iter
  each_chunk,  ///< H5Dget_chunk_info, one after the other
  sizes_only   ///< addresses stay unknown: all chunks are library_only
};

struct IndexResult {
  ChunkIndex index;
  IndexWay way = IndexWay::btree;
};

/// Lists the chunks of a chunked dataset and compares a few with what HDF5 itself reads.
/// `stored`: the file that holds the dataset.
/// Throws: Errc::corrupt naming file and dataset when the file's own index makes no sense.
IndexResult build_chunk_index(const Dataset& dataset, const StoredFile& stored);

}  // namespace outcrop::io::h5
