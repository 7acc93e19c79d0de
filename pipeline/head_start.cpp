#include "pipeline/head_start.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/clock.hpp"
#include "pipeline/stages/read.hpp"

namespace outcrop::pipeline {
namespace {

/// What fetch() may have written: the input planes, and the bytes as they are stored.
void copy_inputs(const Slot& from, const Slot& to, std::size_t num_inputs) {
  const SlotLayout& layout = from.layout();
  for (std::size_t i = 0; i < num_inputs; ++i) {
    const View<float, 2> source = from.plane<float>(static_cast<int>(i));
    const View<float, 2> target = to.plane<float>(static_cast<int>(i));
    const auto row_bytes = static_cast<std::size_t>(from.rect.pixels()) * sizeof(float);
    for (std::int64_t row = 0; row < layout.planes()[i].depth; ++row) {
      std::memcpy(&target(row, 0), &source(row, 0), row_bytes);
    }
  }
  std::memcpy(to.raw().data(), from.raw().data(), from.raw().size());
}

}  // namespace

HeadStart::HeadStart(const Plan& plan, const io::TileSource& source, const StopSignal& stop, int most_tiles)
    : grid_(plan.grid),
      layout_(plan.layout),
      source_(source),
      stop_(stop),
      tiles_(static_cast<std::size_t>(std::min<std::int64_t>(most_tiles, plan.grid.count()))),
      readers_(plan.readers) {
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(tiles_.size()); ++i) {
    readers_.post([this, i] { read(i); });
  }
}

HeadStart::~HeadStart() { end(); }

bool HeadStart::fits(const Plan& plan) const {
  return plan.grid.tile_rows() == grid_.tile_rows() && plan.grid.tile_cols() == grid_.tile_cols() &&
         plan.layout->raw_offset() == layout_->raw_offset() && plan.layout->raw_bytes() == layout_->raw_bytes();
}

std::int64_t HeadStart::bytes() const { return static_cast<std::int64_t>(tiles_.size()) * layout_->total_bytes(); }

bool HeadStart::begin(std::int64_t number) {
  const std::lock_guard lock(mutex_);
  Tile& tile = tiles_[static_cast<std::size_t>(number)];
  if (tile.state != State::waiting || ending_ || stop_.load() != 0) return false;
  tile.state = State::reading;
  return true;
}

void HeadStart::read(std::int64_t number) {
  if (!begin(number)) return;
  Tile& tile = tiles_[static_cast<std::size_t>(number)];
  tile.span = {"read", number, thread_number(), wall_s(), 0, 0, 0};
  const double cpu_s = thread_cpu_s();
  try {
    tile.slot.emplace(layout_, allocate_host(layout_->total_bytes()));
    tile.slot->rect = grid_.rect(number);
    tile.span.bytes = ReadStage(source_)(*tile.slot);
  } catch (...) {
    tile.error = current_error();
  }
  tile.span.end_s = wall_s();
  tile.span.cpu_s = thread_cpu_s() - cpu_s;
  // That there is no memory for a tile beside the run's own slots says nothing of the run.
  const bool lacked_memory = tile.error && tile.error->code() == Errc::out_of_memory;
  if (lacked_memory) tile.slot.reset();
  const std::lock_guard lock(mutex_);
  tile.state = lacked_memory ? State::gone : State::read;
  changed_.notify_all();
}

std::optional<Span> HeadStart::take(Slot& slot) {
  std::unique_lock lock(mutex_);
  if (slot.tile >= static_cast<std::int64_t>(tiles_.size())) return std::nullopt;
  Tile& tile = tiles_[static_cast<std::size_t>(slot.tile)];
  changed_.wait(lock, [&] { return tile.state != State::reading; });
  const bool is_read = tile.state == State::read;
  tile.state = State::gone;
  if (!is_read) return std::nullopt;
  lock.unlock();
  if (tile.error) throw Error(*tile.error);
  copy_inputs(*tile.slot, slot, source_.describe().planes.size());
  slot.num_read = tile.slot->num_read;
  tile.slot.reset();
  return tile.span;
}

}  // namespace outcrop::pipeline
