// Tiles of planes that HDF5 itself reads; in both classes a plane is one chunk a layer, as high and wide as the image.
#include "io/library_plane.hpp"

#include <utility>

#include "io/h5/library_reader.hpp"

namespace outcrop::io {

class LibraryTile final : public PlaneTile {
 public:
  LibraryTile(const LibraryReader& reader, const TileRect& rect) : reader_(reader), rect_(rect) {}

  std::int64_t raw_bytes() const override { return num_jobs() * layer_bytes(); }

  std::int64_t fetch(std::span<std::byte> raw, const View<float, 2>&) const override {
    const auto& groups = reader_.plane_.groups;
    for (std::size_t begin = 0; begin < groups.size();) {
      std::size_t end = begin + 1;
      while (end < groups.size() && groups[end].chunk_layer == groups[end - 1].chunk_layer + 1) ++end;
      const auto bytes = static_cast<std::size_t>(static_cast<std::int64_t>(end - begin) * layer_bytes());
      const auto offset = static_cast<std::size_t>(static_cast<std::int64_t>(begin) * layer_bytes());
      read(groups[begin].chunk_layer, static_cast<std::int64_t>(end - begin), raw.subspan(offset, bytes));
      begin = end;
    }
    return raw_bytes();
  }

  std::int64_t num_jobs() const override { return static_cast<std::int64_t>(reader_.plane_.groups.size()); }
  DecodeVolume decode_volume(bool) const override { return {0, float_bytes(reader_.plane_, rect_)}; }

  void decode(std::int64_t job, const FetchedBytes& raw, const View<float, 2>& out,
              std::span<std::byte>) const override {
    const StoredPlane& plane = reader_.plane_;
    for (const WantedLayer& wanted : plane.groups[static_cast<std::size_t>(job)].layers) {
      put_rows(plane.element, raw->data() + job * layer_bytes(), rect_.cols * plane.element.size_bytes, rect_, rect_,
               wanted.in_plane, out);
    }
  }

 private:
  std::int64_t layer_bytes() const { return rect_.pixels() * reader_.plane_.element.size_bytes; }

  void read(std::int64_t layer, std::int64_t num_layers, std::span<std::byte> out) const {
    std::vector<std::int64_t> start = {layer, rect_.row, rect_.col};
    std::vector<std::int64_t> count = {num_layers, rect_.rows, rect_.cols};
    if (reader_.dataset_->info().shape.size() == 2) {
      start.erase(start.begin());
      count.erase(count.begin());
    }
    h5::read_box(*reader_.dataset_, start, count, reader_.as_stored_, out);
  }

  const LibraryReader& reader_;
  TileRect rect_;
};

class ResidentTile final : public PlaneTile {
 public:
  ResidentTile(const ResidentReader& reader, const TileRect& rect) : reader_(reader), rect_(rect) {}

  std::int64_t raw_bytes() const override { return 0; }
  std::int64_t fetch(std::span<std::byte>, const View<float, 2>&) const override { return 0; }
  std::int64_t num_jobs() const override { return 1; }
  DecodeVolume decode_volume(bool) const override { return {0, float_bytes(reader_.plane_, rect_)}; }

  void decode(std::int64_t, const FetchedBytes&, const View<float, 2>& out, std::span<std::byte>) const override {
    const StoredPlane& plane = reader_.plane_;
    const std::int64_t element_bytes = plane.element.size_bytes;
    for (const LayerGroup& group : plane.groups) {
      const std::int64_t row = group.chunk_layer * plane.shape.rows + rect_.row;
      const std::byte* in = reader_.bytes_.data() + (row * plane.shape.cols + rect_.col) * element_bytes;
      for (const WantedLayer& wanted : group.layers) {
        put_rows(plane.element, in, plane.shape.cols * element_bytes, rect_, rect_, wanted.in_plane, out);
      }
    }
  }

 private:
  const ResidentReader& reader_;
  TileRect rect_;
};

LibraryReader::LibraryReader(StoredPlane plane, std::shared_ptr<const h5::Dataset> dataset, bool as_stored)
    : plane_(std::move(plane)), dataset_(std::move(dataset)), as_stored_(as_stored) {}

StoredVolume LibraryReader::stored() const {
  const auto layers = static_cast<std::int64_t>(plane_.groups.size());
  return {layers * plane_.shape.rows * plane_.shape.cols * plane_.element.size_bytes, 0, 0, false};
}

std::unique_ptr<PlaneTile> LibraryReader::tile(const TileRect& rect) const {
  return std::make_unique<LibraryTile>(*this, rect);
}

ResidentReader::ResidentReader(StoredPlane plane, std::vector<std::byte> bytes)
    : plane_(std::move(plane)), bytes_(std::move(bytes)) {}

std::unique_ptr<PlaneTile> ResidentReader::tile(const TileRect& rect) const {
  return std::make_unique<ResidentTile>(*this, rect);
}

}  // namespace outcrop::io
