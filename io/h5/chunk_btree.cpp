// Walks B-tree nodes of type 1 as the HDF5 file format specification (version 3.0, section III.A.1) lays them out.
#include "io/h5/chunk_btree.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace outcrop::io::h5 {
namespace {

constexpr std::uint64_t chunk_node = 1;
constexpr int top_level = -1;  ///< the root may have any

class TreeWalk {
 public:
  TreeWalk(const FormatReader& reader, const ChunkGrid& grid) : reader_(reader), grid_(grid) {
    const auto rank = static_cast<std::int64_t>(grid.rank());
    header_bytes_ = 8 + 2 * std::int64_t{reader.format().address_bytes};
    key_bytes_ = 8 + 8 * (rank + 1);  // one more dimension: the bytes of an element
    entry_bytes_ = key_bytes_ + reader.format().address_bytes;
    // Every node has its own place in the file; a walk that visits more of them goes round in circles.
    nodes_left_ = reader.bytes_from(0) / header_bytes_ + 1;
  }

  std::vector<StoredChunk> run(std::uint64_t root) {
    visit(root, top_level);
    return std::move(chunks_);
  }

 private:
  void visit(std::uint64_t address, int expected_level) {
    if (--nodes_left_ < 0) reader_.corrupt("its chunk index goes round in circles");
    const std::int64_t most_bytes = header_bytes_ + reader_.format().btree_entries * entry_bytes_ + key_bytes_;
    FormatBlock node =
        reader_.block(address, std::min(most_bytes, reader_.bytes_from(address)), "a node of its chunk index");
    if (!node.starts_with("TREE") || node.number(1) != chunk_node) {
      reader_.corrupt(fmt::format("there is no node of a chunk index at address {}", address));
    }
    const auto level = static_cast<int>(node.number(1));
    if (expected_level != top_level && level != expected_level) {
      reader_.corrupt(fmt::format("a node of its chunk index has level {} instead of {}", level, expected_level));
    }
    const auto count = static_cast<int>(node.number(2));
    if (count > reader_.format().btree_entries) {
      reader_.corrupt(fmt::format("a node of its chunk index claims {} entries", count));
    }
    node.skip(2 * std::int64_t{reader_.format().address_bytes});  // siblings
    for (int i = 0; i < count; ++i) read_entry(node, level);
  }

  void read_entry(FormatBlock& node, int level) {
    if (level > 0) {
      node.skip(key_bytes_);
      visit(node.number(reader_.format().address_bytes), level - 1);
      return;
    }
    StoredChunk chunk;
    chunk.bytes = static_cast<std::int64_t>(node.number(4));
    chunk.skipped_filters = static_cast<std::uint32_t>(node.number(4));
    chunk.number = read_number(node);
    const std::uint64_t address = node.number(reader_.format().address_bytes);
    if (reader_.is_undefined(address) || chunk.bytes == 0) {
      reader_.corrupt(fmt::format("{} of its chunk index has no bytes", grid_.place(chunk.number)));
    }
    chunk.address = reader_.file_offset(address, chunk.bytes, grid_.place(chunk.number));
    chunks_.push_back(chunk);
  }

  std::int64_t read_number(FormatBlock& node) {
    std::vector<std::int64_t> index;
    for (std::size_t d = 0; d < grid_.rank(); ++d) {
      const std::uint64_t offset = node.number(8);
      const auto chunk = static_cast<std::uint64_t>(grid_.chunk()[d]);
      if (offset % chunk != 0 || offset / chunk >= static_cast<std::uint64_t>(grid_.count(d))) {
        reader_.corrupt(
            fmt::format("its chunk index has a chunk at {} along dimension {}, which is outside its shape or "
                        "between chunks",
                        offset, d));
      }
      index.push_back(static_cast<std::int64_t>(offset / chunk));
    }
    node.skip(8);
    return grid_.number(index);
  }

  const FormatReader& reader_;
  const ChunkGrid& grid_;
  std::int64_t header_bytes_ = 0;
  std::int64_t key_bytes_ = 0;
  std::int64_t entry_bytes_ = 0;
  std::int64_t nodes_left_ = 0;
  std::vector<StoredChunk> chunks_;
};

}  // namespace

std::vector<StoredChunk> read_chunk_btree(const FormatReader& reader, std::uint64_t root, const ChunkGrid& grid) {
  return TreeWalk(reader, grid).run(root);
}

}  // namespace outcrop::io::h5
