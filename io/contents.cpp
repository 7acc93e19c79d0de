// Reads images through the source of the steps, which knows every filter, and the rest through HDF5.
#include "io/contents.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "core/view.hpp"
#include "io/h5/chunk_index.hpp"
#include "io/h5/dataset.hpp"
#include "io/h5/file.hpp"
#include "io/h5_source.hpp"
#include "io/mintpy/stack.hpp"
#include "io/stored_file.hpp"

namespace outcrop::io {
namespace {

ValueKind kind_of(h5::TypeClass type) {
  if (type == h5::TypeClass::string) return ValueKind::text;
  return type == h5::TypeClass::other ? ValueKind::other : ValueKind::numbers;
}

/// Sizes that no file can have count as 0.
std::int64_t plain_bytes(const h5::DatasetInfo& info) {
  std::int64_t bytes = info.type.size_bytes;
  for (const auto size : info.shape) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) return 0;
  }
  return bytes;
}

/// Images of one or more layers.
class SourceBlocks final : public BlockReader {
 public:
  explicit SourceBlocks(std::unique_ptr<TileSource> source) : source_(std::move(source)) {}

  std::int64_t layers() const override { return plane().depth; }
  std::int64_t rows() const override { return source_->describe().rows; }
  std::int64_t cols() const override { return source_->describe().cols; }
  std::int64_t chunk_rows() const override { return std::max<std::int64_t>(plane().chunk_rows, 1); }

  std::vector<double> read(const TileRect& rect) const override {
    const SerialFor serial;
    std::vector<std::byte> raw(static_cast<std::size_t>(source_->raw_bytes(rect)));
    std::vector<std::byte> scratch(static_cast<std::size_t>(source_->scratch_bytes()));
    std::vector<float> values(static_cast<std::size_t>(layers() * rect.pixels()));
    const View<float, 2> view(values.data(), layers(), rect.pixels());
    source_->fetch(rect, raw, {&view, 1});
    source_->decode(rect, raw, {&view, 1}, scratch, serial);
    return {values.begin(), values.end()};
  }

 private:
  const PlaneInfo& plane() const { return source_->describe().planes.front(); }
  std::unique_ptr<TileSource> source_;
};

/// Everything else that holds numbers: one dimension, four, booleans.
class LibraryBlocks final : public BlockReader {
 public:
  explicit LibraryBlocks(h5::Dataset dataset) : dataset_(std::move(dataset)), shape_(dataset_.info().shape) {}

  std::int64_t layers() const override {
    if (shape_.size() < 3) return 1;
    return std::accumulate(shape_.begin(), shape_.end() - 2, std::int64_t{1}, std::multiplies<>());
  }
  std::int64_t rows() const override {
    return shape_.empty() ? 1 : shape_.size() == 1 ? shape_[0] : shape_[shape_.size() - 2];
  }
  std::int64_t cols() const override { return shape_.size() < 2 ? 1 : shape_.back(); }
  std::int64_t chunk_rows() const override { return 1; }

  std::vector<double> read(const TileRect& rect) const override {
    if (shape_.empty()) return dataset_.read_numbers();
    std::vector<std::int64_t> start(shape_.size(), 0);
    auto count = shape_;
    const auto row_axis = shape_.size() == 1 ? 0 : shape_.size() - 2;
    start[row_axis] = rect.row;
    count[row_axis] = rect.rows;
    if (shape_.size() > 1) {
      start.back() = rect.col;
      count.back() = rect.cols;
    }
    return dataset_.read_block(start, count);
  }

 private:
  h5::Dataset dataset_;
  std::vector<std::int64_t> shape_;
};

}  // namespace

const DatasetContents* Contents::find(const std::string& name) const {
  for (const auto& dataset : datasets) {
    if (dataset.name == name) return &dataset;
  }
  return nullptr;
}

Contents read_contents(const std::string& path) {
  const auto file = h5::File::open(path);
  Contents contents{path, "", h5::read_attributes(file), {}};
  contents.kind = mintpy::file_type(file, contents.attributes);
  for (const auto& name : file.dataset_names()) {
    const auto dataset = h5::Dataset::open(file, name);
    const auto& info = dataset.info();
    contents.datasets.push_back({name, info.shape, kind_of(info.type.kind), h5::describe(info), plain_bytes(info),
                                 h5::read_attributes(file, name)});
  }
  return contents;
}

std::optional<std::int64_t> stored_bytes(const std::string& path, const std::string& dataset) {
  const auto opened = h5::Dataset::open(h5::File::open(path), dataset);
  const auto& info = opened.info();
  if (info.external || info.layout == h5::Layout::is_virtual) return std::nullopt;
  if (info.layout != h5::Layout::chunked) return info.stored_bytes;
  if (std::find(info.shape.begin(), info.shape.end(), 0) != info.shape.end()) return 0;
  std::int64_t bytes = 0;
  const auto index = h5::build_chunk_index(opened, *StoredFile::open(info.path)).index;
  for (const auto& chunk : index.chunks()) bytes += chunk.bytes;
  return bytes;
}

std::vector<std::string> read_texts(const std::string& path, const std::string& dataset) {
  return h5::Dataset::open(h5::File::open(path), dataset).read_strings();
}

std::unique_ptr<BlockReader> open_blocks(const std::string& path, const std::string& dataset, Log& log) {
  auto opened = h5::Dataset::open(h5::File::open(path), dataset);
  const auto& info = opened.info();
  const auto rank = info.shape.size();
  const bool image = (rank == 2 || rank == 3) &&
                     std::find(info.shape.begin(), info.shape.end(), 0) == info.shape.end() &&
                     (info.type.kind == h5::TypeClass::floating || info.type.kind == h5::TypeClass::integer);
  if (!image) return std::make_unique<LibraryBlocks>(std::move(opened));
  PlaneRequest request{dataset, path, dataset, {}};
  if (rank == 3) {
    request.layers.resize(static_cast<std::size_t>(info.shape[0]));
    std::iota(request.layers.begin(), request.layers.end(), std::int64_t{0});
  }
  return std::make_unique<SourceBlocks>(make_h5_source({request}, {}, log));
}

}  // namespace outcrop::io
