// Reads as much at once as scratch holds.
#include "io/near_rows.hpp"

#include <algorithm>

namespace outcrop::io {

std::int64_t NearRows::stride(const TouchedChunk& chunk) const {
  const std::int64_t wanted = part_row_bytes(plane_, chunk);
  return plane_.row_bytes() - wanted <= largest_gap_bytes_ ? plane_.row_bytes() : wanted;
}

void NearRows::put(const TouchedChunk& chunk, std::int64_t address, std::span<const WantedLayer> layers,
                   const TileRect& rect, const View<float, 2>& out) const {
  const Place place{chunk, address, rect, out};
  // Layers lie one after the other where all rows of a chunk are wanted.
  const bool follow = stride(chunk) == plane_.row_bytes() && chunk.part.rows == plane_.chunk.rows;
  const auto room = static_cast<std::int64_t>(scratch_.size());
  const std::size_t most = follow ? static_cast<std::size_t>(room / (chunk.part.rows * plane_.row_bytes())) : 1;
  while (!layers.empty()) {
    std::size_t count = 1;
    while (count < std::min(most, layers.size()) && layers[count].in_chunk == layers[count - 1].in_chunk + 1) ++count;
    if (count > 1) {
      put_layers(place, layers.first(count));
    } else {
      put_layer(place, layers.front());
    }
    layers = layers.subspan(count);
  }
}

void NearRows::put_layers(const Place& place, std::span<const WantedLayer> layers) const {
  const std::int64_t layer_stride = plane_.chunk.rows * plane_.row_bytes();
  const std::int64_t unwanted = plane_.row_bytes() - part_row_bytes(plane_, place.chunk);
  const std::int64_t bytes = static_cast<std::int64_t>(layers.size()) * layer_stride - unwanted;
  file_.read_near(row_address(plane_, place.chunk, place.address, layers.front().in_chunk, 0),
                  scratch_.first(static_cast<std::size_t>(bytes)), plane_.dataset);
  const std::byte* from = scratch_.data();
  for (const WantedLayer& wanted : layers) {
    put_rows(plane_.element, from, plane_.row_bytes(), place.chunk.part, place.rect, wanted.in_plane, place.out);
    from += layer_stride;
  }
}

/// As many rows at once as there is room for, and parts of one that is longer.
void NearRows::put_layer(const Place& place, const WantedLayer& wanted) const {
  const TileRect& all = place.chunk.part;
  const std::int64_t size_bytes = plane_.element.size_bytes;
  const auto room = static_cast<std::int64_t>(scratch_.size());
  const std::int64_t rows = std::max<std::int64_t>(room / stride(place.chunk), 1);
  const std::int64_t cols = std::min(room / size_bytes, all.cols);
  for (std::int64_t row = 0; row < all.rows; row += rows) {
    const std::int64_t address = row_address(plane_, place.chunk, place.address, wanted.in_chunk, row);
    for (std::int64_t col = 0; col < all.cols; col += cols) {
      const TileRect part{all.row + row, all.col + col, std::min(rows, all.rows - row), std::min(cols, all.cols - col)};
      const std::int64_t part_stride = part.cols == all.cols ? stride(place.chunk) : part.cols * size_bytes;
      read_rows(address + col * size_bytes, part, part_stride);
      put_rows(plane_.element, scratch_.data(), part_stride, part, place.rect, wanted.in_plane, place.out);
    }
  }
}

/// Rows `stride` bytes apart in memory; in one call where they are as far apart in the file.
void NearRows::read_rows(std::int64_t address, const TileRect& part, std::int64_t stride) const {
  const std::int64_t bytes = part.cols * plane_.element.size_bytes;
  if (stride == plane_.row_bytes() || part.rows == 1) {
    file_.read_near(address, scratch_.first(static_cast<std::size_t>((part.rows - 1) * stride + bytes)),
                    plane_.dataset);
    return;
  }
  for (std::int64_t row = 0; row < part.rows; ++row) {
    file_.read_near(address + row * plane_.row_bytes(),
                    scratch_.subspan(static_cast<std::size_t>(row * stride), static_cast<std::size_t>(bytes)),
                    plane_.dataset);
  }
}

}  // namespace outcrop::io
