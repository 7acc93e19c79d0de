// PlaneReader: one input plane of a source; each kind of storage has its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/tile.hpp"
#include "core/view.hpp"
#include "io/tile_source.hpp"

namespace outcrop::io {

/// Whether a few pieces of a tile, spread over all `count`, are near; to ask for each would cost as much as reading.
template <class IsNear>
bool are_probes_near(std::size_t count, const IsNear& is_near) {
  constexpr std::size_t num_probes = 8;
  const std::size_t step = std::max<std::size_t>((count + num_probes - 1) / num_probes, 1);
  for (std::size_t i = 0; i < count; i += step) {
    if (!is_near(i)) return false;
  }
  return true;
}

using FetchedBytes = std::optional<std::span<const std::byte>>;

/// One plane's share of one tile: which bytes it needs, where they lie in the raw area, and the jobs that decode them.
/// Made anew by fetch() and decode(), always the same for the same rectangle. Immutable.
class PlaneTile {
 public:
  virtual ~PlaneTile() = default;

  virtual std::int64_t raw_bytes() const = 0;

  /// Whether decoding jobs shall read what they decode, because that does not wait for storage, or because they must.
  virtual bool is_near() const { return false; }

  /// Gives: bytes read from storage. `raw` has raw_bytes(); `out` is as for decode(), which leaves alone what is put
  /// there.
  virtual std::int64_t fetch(std::span<std::byte> raw, const View<float, 2>& out) const = 0;

  virtual std::int64_t num_jobs() const = 0;

  /// What all its decoding jobs together read and make. `fetched`: whether fetch() was called.
  virtual DecodeVolume decode_volume(bool fetched) const = 0;

  /// Any thread, several jobs at once: each writes other pixels or layers of `out` [depth, pixels of the tile].
  /// `raw`: what fetch() left; nullopt when it was not called, which only a tile that was near may meet.
  /// `scratch` has the reader's scratch_bytes() and is not shared with another running job.
  virtual void decode(std::int64_t job, const FetchedBytes& raw, const View<float, 2>& out,
                      std::span<std::byte> scratch) const = 0;
};

/// What of a plane the wanted layers need, whole image.
struct StoredVolume {
  std::int64_t bytes = 0;
  std::int64_t chunks = 0;  ///< of filtered data: read one by one
  std::int64_t packed = 0;  ///< of the chunks, those that a compression was applied to
  bool direct = false;      ///< tiles of full width are fetched straight into planes
};

/// Immutable; any thread.
class PlaneReader {
 public:
  virtual ~PlaneReader() = default;
  virtual std::int64_t scratch_bytes() const = 0;  ///< of one decoding job
  virtual StoredVolume stored() const = 0;
  virtual std::unique_ptr<PlaneTile> tile(const TileRect& rect) const = 0;
};

}  // namespace outcrop::io
