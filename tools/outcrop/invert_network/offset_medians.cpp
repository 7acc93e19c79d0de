// A radix selection: the first pass counts the upper halves of the numbers' keys, the second the lower halves of those
// that share the upper half of a middle one.
#include "tools/outcrop/invert_network/offset_medians.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "core/parallel.hpp"
#include "core/slot.hpp"
#include "model/pixel/observation.hpp"

namespace outcrop::tools {
namespace {

constexpr std::int64_t num_bins = 65536;
constexpr std::int64_t histograms_per_pair = 2;
constexpr std::int64_t tile_floats = std::int64_t{4} << 20;

/// Whole numbers in the order of the floats.
std::uint32_t key_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

float value_of(std::uint32_t key) { return std::bit_cast<float>((key & 0x80000000U) != 0 ? key & 0x7fffffffU : ~key); }

/// Finds one rank of the numbers of a pair.
struct Selection {
  std::int64_t rank = 0;
  std::uint32_t upper = 0;  ///< half of the key
  std::int64_t below = 0;   ///< numbers with a smaller upper half
};

/// The bin that holds the number of `rank`; `below` becomes the count in the bins before it.
std::uint32_t bin_of(const std::int64_t* histogram, std::int64_t rank, std::int64_t& below) {
  std::uint32_t bin = 0;
  while (below + histogram[bin] <= rank) below += histogram[bin++];
  return bin;
}

/// The certain offsets of a group of pairs, tile by tile.
class GroupReader {
 public:
  GroupReader(const MedianRequest& request, std::size_t first, std::size_t count, const io::SourceOptions& options,
              Log& log)
      : request_(request), first_(first), count_(count) {
    auto planes = std::array{request.observation, request.deviation};
    for (auto& plane : planes) {
      const auto begin = plane.layers.begin() + static_cast<std::ptrdiff_t>(first);
      plane.layers = {begin, begin + static_cast<std::ptrdiff_t>(count)};
    }
    source_ = io::make_h5_source({planes[0], planes[1]}, options, log);
    const io::SourceInfo& info = source_->describe();
    std::int64_t rows = 1;
    std::int64_t cols = 1;
    for (const auto& plane : info.planes) {
      rows = std::max(rows, plane.chunk_rows);
      cols = std::max(cols, plane.chunk_cols > 0 ? plane.chunk_cols : info.cols);
    }
    // Several units together: where chunks are larger than a tile each tile decodes them anew.
    const std::int64_t layers = 2 * static_cast<std::int64_t>(count);
    const std::int64_t units = std::max<std::int64_t>(1, tile_floats / (layers * rows * cols));
    grid_ = TileGrid(info.rows, info.cols, std::min(units * rows, info.rows), cols);
  }

  /// Calls visit(pair of the group, value). Adds what was read and decoded to `volume`.
  template <class Visit>
  void each(io::DecodeVolume& volume, const Visit& visit) const {
    const auto count = static_cast<std::int64_t>(count_);
    const std::int64_t pixels = grid_.tile_rows() * grid_.tile_cols();
    std::vector<float> values(static_cast<std::size_t>(2 * count * pixels));
    std::vector<std::byte> scratch(static_cast<std::size_t>(source_->scratch_bytes()));
    std::vector<std::byte> raw;
    for (std::int64_t tile = 0; tile < grid_.count(); ++tile) {
      const TileRect rect = grid_.rect(tile);
      raw.resize(static_cast<std::size_t>(source_->raw_bytes(rect)));
      const std::array views{View<float, 2>(values.data(), count, rect.pixels()),
                             View<float, 2>(values.data() + count * pixels, count, rect.pixels())};
      volume.read += source_->fetch(rect, raw, views);
      const io::DecodeVolume decoded = source_->decode(rect, raw, views, scratch, SerialFor());
      volume.read += decoded.read;
      volume.decoded += decoded.decoded;
      for (std::int64_t k = 0; k < count; ++k) visit_pair(k, views[0], views[1], visit);
    }
  }

 private:
  template <class Visit>
  void visit_pair(std::int64_t k, const View<float, 2>& observation, const View<float, 2>& deviation,
                  const Visit& visit) const {
    const float reference = request_.reference[first_ + static_cast<std::size_t>(k)];
    if (!std::isfinite(reference)) return;
    for (std::int64_t i = 0; i < observation.extent(1); ++i) {
      const float deviation_here = std::isnan(deviation(k, i)) ? 0.0F : deviation(k, i);
      const float value = model::pixel::referenced(observation(k, i), reference);
      if (deviation_here <= request_.threshold && std::isfinite(value)) visit(k, value);
    }
  }

  const MedianRequest& request_;
  std::size_t first_;
  std::size_t count_;
  std::unique_ptr<io::TileSource> source_;
  TileGrid grid_;
};

/// [M of the group]
class GroupMedians {
 public:
  GroupMedians(const GroupReader& reader, std::size_t count)
      : reader_(reader), histogram_(count * static_cast<std::size_t>(histograms_per_pair * num_bins)), middle_(count) {}

  std::vector<float> find(io::DecodeVolume& volume) {
    reader_.each(volume, [this](std::int64_t k, float value) { ++bins(k, 0)[key_of(value) >> 16]; });
    for (std::size_t k = 0; k < middle_.size(); ++k) select_upper(k);
    std::fill(histogram_.begin(), histogram_.end(), 0);
    reader_.each(volume, [this](std::int64_t k, float value) {
      const std::uint32_t key = key_of(value);
      for (std::size_t m = 0; m < 2; ++m) {
        if (key >> 16 == middle_[static_cast<std::size_t>(k)][m].upper) ++bins(k, m)[key & 0xffffU];
      }
    });
    std::vector<float> medians;
    for (std::size_t k = 0; k < middle_.size(); ++k) medians.push_back(median(k));
    return medians;
  }

 private:
  std::int64_t* bins(std::int64_t pair, std::size_t which) {
    return histogram_.data() + (pair * histograms_per_pair + static_cast<std::int64_t>(which)) * num_bins;
  }

  void select_upper(std::size_t k) {
    const std::int64_t* histogram = bins(static_cast<std::int64_t>(k), 0);
    const std::int64_t total = std::accumulate(histogram, histogram + num_bins, std::int64_t{0});
    for (std::size_t m = 0; m < 2; ++m) {
      Selection& s = middle_[k][m];
      s.rank = total == 0 ? -1 : (total - 1 + static_cast<std::int64_t>(m)) / 2;
      if (total > 0) s.upper = bin_of(histogram, s.rank, s.below);
    }
  }

  float median(std::size_t k) {
    if (middle_[k][0].rank < 0) return std::numeric_limits<float>::quiet_NaN();
    std::array<float, 2> value{};
    for (std::size_t m = 0; m < 2; ++m) {
      Selection& s = middle_[k][m];
      std::int64_t below = s.below;
      value[m] = value_of(s.upper << 16 | bin_of(bins(static_cast<std::int64_t>(k), m), s.rank, below));
    }
    // In float32, as the median of MintPy; halves, so that two large ones do not overflow.
    return middle_[k][0].rank == middle_[k][1].rank ? value[0] : value[0] / 2 + value[1] / 2;
  }

  const GroupReader& reader_;
  std::vector<std::int64_t> histogram_;
  std::vector<std::array<Selection, 2>> middle_;
};

}  // namespace

std::vector<float> offset_medians(const MedianRequest& request, std::int64_t memory_bytes,
                                  const io::SourceOptions& options, io::DecodeVolume& volume, Log& log) {
  constexpr std::int64_t pair_bytes = histograms_per_pair * num_bins * static_cast<std::int64_t>(sizeof(std::int64_t));
  const auto group = static_cast<std::size_t>(std::max<std::int64_t>(1, memory_bytes / pair_bytes));
  std::vector<float> medians;
  while (medians.size() < request.reference.size()) {
    const std::size_t count = std::min(group, request.reference.size() - medians.size());
    const GroupReader reader(request, medians.size(), count, options, log);
    const std::vector<float> found = GroupMedians(reader, count).find(volume);
    medians.insert(medians.end(), found.begin(), found.end());
  }
  return medians;
}

}  // namespace outcrop::tools
