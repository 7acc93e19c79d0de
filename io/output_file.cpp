// Shapes of tiled datasets, and small datasets written whole.
#include "io/output_file.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/check.hpp"
#include "io/h5/copy.hpp"
#include "io/h5/file.hpp"
#include "io/h5/writer.hpp"

namespace outcrop::io {
namespace {

std::int64_t product(const std::vector<std::int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

void write_one(const h5::File& file, const SmallDataset& small) {
  const auto count =
      std::visit([](const auto& values) { return static_cast<std::int64_t>(values.size()); }, small.values);
  const h5::NewDataset dataset = {small.name, small.shape.empty() ? std::vector<std::int64_t>{count} : small.shape,
                                  small.attributes};
  if (const auto* strings = std::get_if<std::vector<std::string>>(&small.values)) {
    h5::write_strings(file, dataset, *strings);
  } else if (const auto* floats = std::get_if<std::vector<float>>(&small.values)) {
    h5::write_floats(file, dataset, *floats);
  } else {
    h5::write_bools(file, dataset, std::get<std::vector<bool>>(small.values));
  }
}

}  // namespace

std::vector<std::int64_t> shape_of(const TiledDataset& tiled, std::int64_t rows, std::int64_t cols) {
  if (tiled.is_map) {
    OUTCROP_EXPECT(tiled.depth == 1 && tiled.leading.empty(), "a map has one layer");
    return {rows, cols};
  }
  std::vector<std::int64_t> shape = tiled.leading;
  if (shape.empty()) shape.push_back(tiled.depth);
  OUTCROP_EXPECT(product(shape) == tiled.depth, "the leading dimensions of " + tiled.name + " are not its layers");
  shape.insert(shape.end(), {rows, cols});
  return shape;
}

std::vector<std::int64_t> chunk_of(const TiledDataset& tiled, std::int64_t rows, std::int64_t cols) {
  OUTCROP_EXPECT((tiled.chunk_rows > 0) == (tiled.chunk_cols > 0), "chunks have rows and columns, or are not there");
  if (tiled.chunk_rows == 0) return {};
  auto chunk = shape_of(tiled, rows, cols);
  const auto rank = chunk.size();
  chunk[rank - 2] = std::min(rows, tiled.chunk_rows);
  chunk[rank - 1] = std::min(cols, tiled.chunk_cols);
  if (tiled.chunk_layers > 0 && !tiled.is_map) {
    OUTCROP_EXPECT(tiled.leading.empty(), "several leading dimensions are not cut into chunks");
    chunk.front() = std::min(tiled.depth, tiled.chunk_layers);
  }
  return chunk;
}

std::int64_t plain_bytes(const TiledDataset& tiled, std::int64_t rows, std::int64_t cols) {
  auto shape = shape_of(tiled, rows, cols);
  const auto chunk = chunk_of(tiled, rows, cols);
  for (std::size_t d = 0; d < chunk.size(); ++d) shape[d] = (shape[d] - 1) / chunk[d] * chunk[d] + chunk[d];
  return product(shape) * size_bytes(tiled.dtype);
}

void write_small(const h5::File& file, const OutputFile& output) {
  h5::write_attributes(file, output.attributes);
  for (const auto& small : output.small) write_one(file, small);
  for (const auto& carried : output.carried) {
    const auto from = h5::File::open(carried.path);
    if (carried.with_values) {
      h5::copy_dataset(from, file, carried.name);
    } else {
      h5::create_unfilled(from, file, carried.name);
    }
  }
}

}  // namespace outcrop::io
