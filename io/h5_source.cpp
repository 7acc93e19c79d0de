// Joins the readers of all planes into one TileSource.
#include "io/h5_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "io/h5/call.hpp"
#include "io/h5_source_plane.hpp"

namespace outcrop::io {
namespace {

constexpr std::int64_t alignment = 64;

/// Before a plane's stored bytes: who reads them.
constexpr std::int64_t mark_bytes = alignment;
constexpr std::byte left_to_decode{0};
constexpr std::byte read_by_fetch{1};

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// One plane of a tile, its place in the raw area and the number of its first job among those of all planes.
struct PlaneShare {
  std::unique_ptr<PlaneTile> tile;
  std::int64_t raw_offset = 0;
  std::int64_t first_job = 0;
};

/// What a tile consists of; the same whenever it is asked for.
struct TileShares {
  std::vector<PlaneShare> planes;
  std::int64_t raw_bytes = 0;
  std::int64_t num_jobs = 0;

  /// Where the stored bytes of a plane are put.
  template <class Byte>
  std::span<Byte> raw_of(const PlaneShare& plane, std::span<Byte> raw) const {
    return raw.subspan(static_cast<std::size_t>(plane.raw_offset + mark_bytes),
                       static_cast<std::size_t>(plane.tile->raw_bytes()));
  }

  template <class Byte>
  Byte& mark_of(const PlaneShare& plane, std::span<Byte> raw) const {
    return raw[static_cast<std::size_t>(plane.raw_offset)];
  }

  FetchedBytes fetched(const PlaneShare& plane, std::span<const std::byte> raw) const {
    if (mark_of(plane, raw) == left_to_decode) return std::nullopt;
    return raw_of(plane, raw);
  }

  std::size_t plane_of(std::int64_t job) const {
    const auto after = std::upper_bound(planes.begin(), planes.end(), job,
                                        [](std::int64_t j, const PlaneShare& plane) { return j < plane.first_job; });
    return static_cast<std::size_t>(after - planes.begin()) - 1;
  }
};

class H5Source final : public TileSource {
 public:
  explicit H5Source(std::vector<OpenedPlane> planes) : planes_(std::move(planes)) {
    info_.rows = planes_.front().rows;
    info_.cols = planes_.front().cols;
    for (const OpenedPlane& plane : planes_) {
      if (plane.rows != info_.rows || plane.cols != info_.cols) refuse_sizes(planes_.front(), plane);
      info_.planes.push_back(plane.info);
      scratch_bytes_ = std::max(scratch_bytes_, aligned(plane.reader->scratch_bytes()));
    }
  }

  const SourceInfo& describe() const override { return info_; }
  std::int64_t raw_bytes(const TileRect& rect) const override { return shares(rect).raw_bytes; }
  std::int64_t scratch_bytes() const override { return scratch_bytes_; }

  std::int64_t fetch(const TileRect& rect, std::span<std::byte> raw,
                     std::span<const View<float, 2>> planes) const override {
    const TileShares tile = shares(rect);
    require_room(tile.raw_bytes, raw.size(), "raw area");
    require_planes(rect, planes);
    std::int64_t read = 0;
    for (std::size_t p = 0; p < planes.size(); ++p) {
      const PlaneShare& plane = tile.planes[p];
      const bool near = plane.tile->is_near();
      tile.mark_of(plane, raw) = near ? left_to_decode : read_by_fetch;
      if (!near) read += plane.tile->fetch(tile.raw_of(plane, raw), planes[p]);
    }
    return read;
  }

  DecodeVolume decode(const TileRect& rect, std::span<const std::byte> raw, std::span<const View<float, 2>> planes,
                      std::span<std::byte> scratch, const ParallelFor& parallel) const override {
    const TileShares tile = shares(rect);
    require_room(tile.raw_bytes, raw.size(), "raw area");
    require_room(scratch_bytes_ * parallel.concurrency(), scratch.size(), "scratch");
    require_planes(rect, planes);
    const auto room = static_cast<std::size_t>(scratch_bytes_);
    parallel.run(tile.num_jobs, [&](std::int64_t job, int worker) {
      const std::size_t p = tile.plane_of(job);
      const PlaneShare& plane = tile.planes[p];
      plane.tile->decode(job - plane.first_job, tile.fetched(plane, raw), planes[p],
                         scratch.subspan(static_cast<std::size_t>(worker) * room, room));
    });
    DecodeVolume volume;
    for (const PlaneShare& plane : tile.planes) {
      const DecodeVolume share = plane.tile->decode_volume(tile.fetched(plane, raw).has_value());
      volume.read += share.read;
      volume.decoded += share.decoded;
    }
    return volume;
  }

 private:
  [[noreturn]] static void refuse_sizes(const OpenedPlane& a, const OpenedPlane& b) {
    fail(Errc::input,
         fmt::format("{} in {} has {} x {} pixels, but {} in {} has {} x {}; all must be of one size", a.info.dataset,
                     a.info.path, a.rows, a.cols, b.info.dataset, b.info.path, b.rows, b.cols));
  }

  static void require_room(std::int64_t needed, std::size_t given, const char* what) {
    OUTCROP_EXPECT(needed <= static_cast<std::int64_t>(given),
                   fmt::format("the {} of a tile has {} bytes, {} are needed", what, given, needed));
  }

  void require_planes(const TileRect& rect, std::span<const View<float, 2>> planes) const {
    OUTCROP_EXPECT(planes.size() == planes_.size(), "a tile needs memory for every plane of its source");
    for (std::size_t p = 0; p < planes.size(); ++p) {
      OUTCROP_EXPECT(planes[p].extent(0) >= info_.planes[p].depth && planes[p].extent(1) >= rect.pixels(),
                     fmt::format("the memory for plane '{}' is too small", info_.planes[p].name));
    }
  }

  TileShares shares(const TileRect& rect) const {
    OUTCROP_EXPECT(rect.row >= 0 && rect.col >= 0 && rect.rows > 0 && rect.cols > 0 &&
                       rect.rows <= info_.rows - rect.row && rect.cols <= info_.cols - rect.col,
                   "a tile reaches out of the image");
    TileShares tile;
    tile.planes.reserve(planes_.size());
    for (const OpenedPlane& plane : planes_) {
      tile.planes.push_back({plane.reader->tile(rect), tile.raw_bytes, tile.num_jobs});
      tile.raw_bytes += mark_bytes + aligned(tile.planes.back().tile->raw_bytes());
      tile.num_jobs += tile.planes.back().tile->num_jobs();
    }
    return tile;
  }

  std::vector<OpenedPlane> planes_;
  SourceInfo info_;
  std::int64_t scratch_bytes_ = 0;
};

std::unique_ptr<TileSource> open_source(const std::vector<PlaneRequest>& planes, const SourceOptions& options,
                                        const ReadManner& manner, Log& log) {
  OUTCROP_EXPECT(!planes.empty(), "a source needs at least one plane");
  const auto lock = h5::library_lock();
  PlaneOpener opener(options, manner, log);
  std::vector<OpenedPlane> opened;
  opened.reserve(planes.size());
  for (const PlaneRequest& plane : planes) opened.push_back(opener.open(plane));
  return std::make_unique<H5Source>(std::move(opened));
}

}  // namespace

std::unique_ptr<TileSource> make_h5_source(const std::vector<PlaneRequest>& planes, const SourceOptions& options,
                                           Log& log) {
  return open_source(planes, options, {}, log);
}

std::vector<float> read_rect(const PlaneRequest& plane, const TileRect& rect, const SourceOptions& options, Log& log) {
  // A few pixels of many layers: on a slow disk one request for a longer run costs less than several for short ones.
  constexpr ReadManner manner{true, 64 * 1024};
  const auto source = open_source({plane}, options, manner, log);
  const std::int64_t depth = source->describe().planes.front().depth;
  std::vector<std::byte> raw(static_cast<std::size_t>(source->raw_bytes(rect)));
  std::vector<std::byte> scratch(static_cast<std::size_t>(source->scratch_bytes()));
  std::vector<float> values(static_cast<std::size_t>(depth * rect.pixels()));
  const View<float, 2> view(values.data(), depth, rect.pixels());
  source->fetch(rect, raw, std::span(&view, 1));
  source->decode(rect, raw, std::span(&view, 1), scratch, SerialFor());
  return values;
}

}  // namespace outcrop::io
