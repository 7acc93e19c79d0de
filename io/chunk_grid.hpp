// ChunkGrid: the cut of a dataset of any rank into equal chunks, the last ones along a dimension reaching beyond its
// end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace outcrop::io {

class ChunkGrid {
 public:
  ChunkGrid() = default;

  /// Throws: Errc::input when a size is not positive, the ranks differ, or the elements or chunks are too many to
  /// count.
  ChunkGrid(std::vector<std::int64_t> shape, std::vector<std::int64_t> chunk);

  std::size_t rank() const { return shape_.size(); }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  const std::vector<std::int64_t>& chunk() const { return chunk_; }
  std::int64_t count(std::size_t dimension) const { return count_[dimension]; }  ///< chunks along it
  std::int64_t num_chunks() const { return num_chunks_; }
  std::int64_t chunk_elements() const { return chunk_elements_; }

  /// Row-major number of the chunk at a place in the grid.
  std::int64_t number(const std::vector<std::int64_t>& index) const;
  std::vector<std::int64_t> index(std::int64_t number) const;

  /// "chunk (3, 0, 2)": for people.
  std::string place(std::int64_t number) const;

 private:
  std::vector<std::int64_t> shape_;
  std::vector<std::int64_t> chunk_;
  std::vector<std::int64_t> count_;
  std::int64_t num_chunks_ = 0;
  std::int64_t chunk_elements_ = 0;
};

}  // namespace outcrop::io
