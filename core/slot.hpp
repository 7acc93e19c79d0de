// SlotLayout and Slot: the memory in which one tile lives from its first byte read to its last byte written.
// A slot holds named planes, each [depth][pixel capacity] with the pixel index fastest, and a raw area for stored
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.hpp"
#include "core/status.hpp"
#include "core/tile.hpp"
#include "core/trace.hpp"
#include "core/view.hpp"

namespace outcrop {

/// Pixels a plane's rows are padded to, so that every row begins on a cache line and a last pack can be full.
inline constexpr std::int64_t pixel_padding = 64;

/// Pixels that rows are longer still: one cache line of float32. A pixel's samples, one a row, then fall into different
/// sets of the caches; with rows of whole memory pages all would fall into one, and push each other out.
inline constexpr std::int64_t row_skew = 16;

struct PlaneLayout {
  std::string name;
  std::int64_t depth = 0;  ///< layers: pairs, dates, or 1
  DType dtype = DType::f32;
  std::int64_t offset_bytes = 0;
};

/// Which planes a slot holds and where. Made once by the plan, the same for all slots.
class SlotLayout {
 public:
  SlotLayout() = default;
  /// `pixels`: of the largest tile. `raw_bytes`: of the largest tile's stored chunks.
  SlotLayout(std::int64_t pixels, std::int64_t raw_bytes);

  /// Gives the plane's index.
  int add(std::string name, std::int64_t depth, DType dtype);

  /// Index of a plane by name. Throws Errc::internal when there is none.
  int index(std::string_view name) const;

  /// The same planes under other names, one for each.
  SlotLayout renamed(const std::vector<std::string>& names) const;

  const std::vector<PlaneLayout>& planes() const { return planes_; }
  std::int64_t pixel_capacity() const { return capacity_; }  ///< padded
  std::int64_t raw_offset() const { return planes_bytes_; }
  std::int64_t raw_bytes() const { return raw_bytes_; }
  std::int64_t total_bytes() const { return planes_bytes_ + raw_bytes_; }

 private:
  std::vector<PlaneLayout> planes_;
  std::int64_t capacity_ = 0;
  std::int64_t raw_bytes_ = 0;
  std::int64_t planes_bytes_ = 0;
};

/// Host memory with the function that gives it back (plain, pinned ... as the backend allocated it).
using SlotMemory = std::unique_ptr<std::byte[], void (*)(std::byte*)>;

/// What a backend keeps with a slot that it allocated: device memory, events.
class SlotCompanion {
 public:
  virtual ~SlotCompanion() = default;
};

/// Move-only. Views stay valid as long as the slot lives.
class Slot {
 public:
  Slot(std::shared_ptr<const SlotLayout> layout, SlotMemory memory, std::unique_ptr<SlotCompanion> companion = nullptr)
      : companion_(std::move(companion)), layout_(std::move(layout)), memory_(std::move(memory)) {}

  const SlotLayout& layout() const { return *layout_; }
  SlotCompanion* companion() const { return companion_.get(); }

  /// [depth, pixels of the current tile]; rows are pixel_capacity() apart.
  template <class T>
  View<T, 2> plane(int index) const {
    const PlaneLayout& p = layout_->planes()[static_cast<std::size_t>(index)];
    OUTCROP_ASSERT(p.dtype == DTypeOf<T>::value);
    return View<T, 2>::strided(reinterpret_cast<T*>(memory_.get() + p.offset_bytes), p.depth, rect.pixels(),
                               layout_->pixel_capacity());
  }

  std::span<std::byte> raw() const {
    return {memory_.get() + layout_->raw_offset(), static_cast<std::size_t>(layout_->raw_bytes())};
  }

  TileRect rect;           ///< the tile that is in the slot now; pixel = (row - rect.row) * rect.cols + col - rect.col
  std::int64_t tile = -1;  ///< its number
  Tally tally;             ///< what its pixels came to; written by the tile program
  std::int64_t num_read = 0;     ///< bytes read from storage for it
  std::int64_t num_decoded = 0;  ///< bytes of float32 decoded for it
  std::vector<Span> spans;       ///< what solving it took, part by part, where the backend knows

 private:
  std::unique_ptr<SlotCompanion> companion_;
  std::shared_ptr<const SlotLayout> layout_;
  SlotMemory memory_;
};

/// Page-aligned host memory, not cleared. Throws Errc::out_of_memory with the bytes.
SlotMemory allocate_host(std::int64_t bytes);

}  // namespace outcrop
