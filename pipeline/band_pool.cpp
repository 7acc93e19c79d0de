#include "pipeline/band_pool.hpp"

#include <algorithm>
#include <cstring>

namespace outcrop::pipeline {
namespace {

const std::byte* plane_bytes(const Slot& slot, const io::SinkPlane& plane, int index) {
  return plane.dtype == DType::f32 ? reinterpret_cast<const std::byte*>(slot.plane<float>(index).data_handle())
                                   : reinterpret_cast<const std::byte*>(slot.plane<std::uint8_t>(index).data_handle());
}

}  // namespace

BandPool::BandPool(const Plan& plan, const io::TileSink& sink)
    : grid_(plan.grid), bands_(plan.bands), planes_(sink.planes()) {
  const std::int64_t pixels = grid_.tile_rows() * std::min(grid_.tile_cols() * bands_.tiles_across, grid_.cols());
  std::int64_t bytes = 0;
  for (const auto& plane : planes_) {
    slot_planes_.push_back(plan.layout->index(plane.name));
    plane_offset_.push_back(bytes);
    bytes += plane.depth * pixels * size_bytes(plane.dtype);
  }
  for (int i = 0; i < bands_.buffers; ++i) {
    buffers_.push_back(allocate_host(bytes));
    free_.push_back(i);
  }
}

std::int64_t BandPool::band_of(std::int64_t tile) const {
  return tile / grid_.across() * bands_.per_row + tile % grid_.across() / bands_.tiles_across;
}

std::int64_t BandPool::tiles_in(std::int64_t band) const {
  const std::int64_t first = band % bands_.per_row * bands_.tiles_across;
  return std::min(bands_.tiles_across, grid_.across() - first);
}

TileRect BandPool::rect_of(std::int64_t band) const {
  const std::int64_t row = band / bands_.per_row * grid_.tile_rows();
  const std::int64_t col = band % bands_.per_row * bands_.tiles_across * grid_.tile_cols();
  return {row, col, std::min(grid_.tile_rows(), grid_.rows() - row),
          std::min(bands_.tiles_across * grid_.tile_cols(), grid_.cols() - col)};
}

std::optional<int> BandPool::buffer_for(std::int64_t band) {
  if (const auto open = open_.find(band); open != open_.end()) return open->second.buffer;
  if (free_.empty()) return std::nullopt;
  const int buffer = free_.back();
  free_.pop_back();
  open_[band] = {buffer, tiles_in(band), false};
  return buffer;
}

std::optional<int> BandPool::reserve(const Ticket& ticket) {
  const std::lock_guard lock(mutex_);
  const std::int64_t band = band_of(ticket.tile);
  // An older band that still waits for a buffer goes first: a younger one must not take the last buffer from it.
  const bool older_waits =
      std::any_of(parked_.begin(), parked_.end(), [&](const Ticket& t) { return band_of(t.tile) < band; });
  const auto buffer = older_waits && !open_.contains(band) ? std::nullopt : buffer_for(band);
  if (!buffer) parked_.push_back(ticket);
  return buffer;
}

void BandPool::gather(const Slot& slot, int buffer) const {
  const TileRect band = rect_of(band_of(slot.tile));
  for (std::size_t p = 0; p < planes_.size(); ++p) {
    const std::int64_t size = size_bytes(planes_[p].dtype);
    const std::byte* from = plane_bytes(slot, planes_[p], slot_planes_[p]);
    std::byte* to = buffers_[static_cast<std::size_t>(buffer)].get() + plane_offset_[p];
    for (std::int64_t k = 0; k < planes_[p].depth; ++k) {
      for (std::int64_t r = 0; r < slot.rect.rows; ++r) {
        std::memcpy(to + ((k * band.rows + r) * band.cols + slot.rect.col - band.col) * size,
                    from + (k * slot.layout().pixel_capacity() + r * slot.rect.cols) * size,
                    static_cast<std::size_t>(slot.rect.cols * size));
      }
    }
  }
}

std::optional<FullBand> BandPool::arrived(const Ticket& ticket) {
  const std::lock_guard lock(mutex_);
  const std::int64_t band = band_of(ticket.tile);
  Open& open = open_.at(band);
  open.poisoned |= ticket.poisoned;
  if (--open.missing > 0) return std::nullopt;
  return FullBand{band, open.buffer, rect_of(band), open.poisoned};
}

std::vector<io::PlaneBlock> BandPool::blocks(const FullBand& band) const {
  std::vector<io::PlaneBlock> blocks;
  for (std::size_t p = 0; p < planes_.size(); ++p) {
    const std::int64_t size = size_bytes(planes_[p].dtype);
    blocks.push_back({static_cast<int>(p), band.rect,
                      buffers_[static_cast<std::size_t>(band.buffer)].get() + plane_offset_[p],
                      band.rect.pixels() * size, band.rect.cols * size});
  }
  return blocks;
}

std::vector<Ticket> BandPool::release(const FullBand& band) {
  const std::lock_guard lock(mutex_);
  open_.erase(band.band);
  free_.push_back(band.buffer);
  std::stable_sort(parked_.begin(), parked_.end(), [](const Ticket& a, const Ticket& b) { return a.tile < b.tile; });
  std::vector<Ticket> ready;
  while (!parked_.empty() && buffer_for(band_of(parked_.front().tile))) {
    ready.push_back(parked_.front());
    parked_.pop_front();
  }
  return ready;
}

std::vector<io::PlaneBlock> slot_blocks(const Slot& slot, const io::TileSink& sink) {
  std::vector<io::PlaneBlock> blocks;
  for (std::size_t p = 0; p < sink.planes().size(); ++p) {
    const io::SinkPlane& plane = sink.planes()[p];
    const std::int64_t size = size_bytes(plane.dtype);
    blocks.push_back({static_cast<int>(p), slot.rect, plane_bytes(slot, plane, slot.layout().index(plane.name)),
                      slot.layout().pixel_capacity() * size, slot.rect.cols * size});
  }
  return blocks;
}

}  // namespace outcrop::pipeline
