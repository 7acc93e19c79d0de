// Noise, holes and the arbitrary constant of each pair.
#include "tools/outcrop/simulate/samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "tools/outcrop/simulate/random.hpp"

namespace outcrop::tools {
namespace {

constexpr double decorrelation_days = 150;
constexpr double lasting_share = 0.35;  // of the coherence, however long the pair
constexpr float coherence_jitter = 0.04F;
constexpr float most_phase_deviation_rad = 1.8F;  // of a phase that is nothing but noise, pi / sqrt(3)
constexpr float reference_coherence = 0.98F;
constexpr float water_coherence = 0.06F;
constexpr float trusted_coherence = 0.2F;
constexpr std::int64_t no_date = -1;

/// What happens to the network of a pixel, and at which date.
struct PixelFate {
  PixelKind kind = PixelKind::whole;
  std::int64_t date = no_date;  ///< cut: first date after the cut; isolated_date: that date
};

PixelFate fate_of(const Scene& scene, std::int64_t row, std::int64_t col) {
  const SimulateOptions& options = scene.options;
  if (options.water && options.water->contains(row, col)) return {PixelKind::water, no_date};
  if (options.zero_block && options.zero_block->contains(row, col)) return {PixelKind::zero, no_date};
  if (scene.is_reference(row, col)) return {};
  const std::int64_t pixel = row * scene.cols() + col;
  const double draw = RandomStream(options.seed, Stream::pixel_kind).uniform(pixel);
  const auto date = RandomStream(options.seed, Stream::pixel_date).bits(pixel);
  const auto num_dates = static_cast<std::uint64_t>(scene.network.num_dates());
  if (draw < options.cut_frac) return {PixelKind::cut, static_cast<std::int64_t>(1 + date % (num_dates - 1))};
  if (draw < options.cut_frac + options.isolate_frac) {
    return {PixelKind::isolated_date, static_cast<std::int64_t>(date % num_dates)};
  }
  return {};
}

bool lost(const PixelFate& fate, const DatePair& pair) {
  if (fate.kind == PixelKind::cut) return pair.first < fate.date && fate.date <= pair.second;
  if (fate.kind == PixelKind::isolated_date) return pair.first == fate.date || pair.second == fate.date;
  return false;
}

/// [D] the reference pixel's series: every pair is relative to it.
std::vector<float> reference_series(const Scene& scene) {
  FieldTile tile;
  evaluate_fields(scene, {scene.reference_row, scene.reference_col, 1, 1}, tile);
  return tile.series;
}

/// One pair over the pixels of a tile.
class PairSamples {
 public:
  PairSamples(const Scene& scene, std::int64_t pair)
      : scene_(scene),
        pair_(scene.network.pairs[static_cast<std::size_t>(pair)]),
        noise_(scene.options.seed, Stream::sample_noise, pair),
        dropout_(scene.options.seed, Stream::sample_dropout, pair) {
    const auto draw = RandomStream(scene.options.seed, Stream::pair_constant).uniform(pair);
    constant_ = static_cast<float>(draw < 0.5 ? -3 - 20 * draw : 3 + 20 * (draw - 0.5));
    const double days = scene.network.days[static_cast<std::size_t>(pair_.second)] -
                        scene.network.days[static_cast<std::size_t>(pair_.first)];
    decay_ = static_cast<float>(lasting_share + (1 - lasting_share) * std::exp(-days / decorrelation_days));
    lost_below_ = static_cast<std::uint32_t>(std::min(scene.options.nan_frac * 0x1p32, 0x1p32 - 1));
  }

  /// `first_pixel`: number of the run's first pixel in the raster.
  void coherence(std::int64_t first_pixel, std::span<const float> base, float* out) const {
    for (std::size_t n = 0; n < base.size(); ++n) {
      const std::uint64_t bits = dropout_.bits(first_pixel + static_cast<std::int64_t>(n)) >> 32;
      const float jitter = coherence_jitter * (static_cast<float>(bits & 0xffffU) * 0x1p-15F - 1);
      out[n] = std::clamp(base[n] * decay_ + jitter, 0.02F, 0.99F);
    }
  }

  /// Phases of a distributed scatterer: deviation from coherence and looks (Rodriguez and Martin 1992).
  void phase(std::int64_t first_pixel, std::span<const float> coherence, const float* first, const float* second,
             float* out) const {
    const auto scale = static_cast<float>(scene_.options.noise);
    constexpr auto radians_per_metre = static_cast<float>(Scene::radians_per_metre);
    constexpr auto per_looks = static_cast<float>(0.5 / Scene::independent_looks);
    for (std::size_t n = 0; n < coherence.size(); ++n) {
      const float squared = coherence[n] * coherence[n];
      const float deviation = std::min(std::sqrt(per_looks * (1 - squared) / squared), most_phase_deviation_rad);
      const float noise = scale * deviation * normal_of(noise_.bits(first_pixel + static_cast<std::int64_t>(n)));
      const float value = radians_per_metre * (second[n] - first[n]) + noise + constant_;
      out[n] = value == 0 ? std::numeric_limits<float>::min() : value;  // exactly 0 means no data
    }
  }

  bool dropped(std::int64_t pixel) const { return static_cast<std::uint32_t>(dropout_.bits(pixel)) < lost_below_; }
  bool drops() const { return lost_below_ > 0; }
  float constant() const { return constant_; }
  const DatePair& pair() const { return pair_; }

 private:
  const Scene& scene_;
  DatePair pair_;
  RandomStream noise_;
  RandomStream dropout_;  // lower half: holes; upper half: jitter of the coherence
  float constant_ = 0;
  float decay_ = 1;
  std::uint32_t lost_below_ = 0;
};

/// The samples of one pixel that are not an ordinary observation.
void spoil(const PairSamples& samples, std::int64_t pixel, const PixelFate& fate, float& phase, float& coherence) {
  if (fate.kind == PixelKind::zero) {
    phase = 0;
    coherence = 0;
  } else if (lost(fate, samples.pair()) || samples.dropped(pixel)) {
    phase = std::numeric_limits<float>::quiet_NaN();
  }
}

/// All pairs over one tile.
class TileSampler {
 public:
  TileSampler(const Scene& scene, const TileRect& rect, const FieldTile& fields, SampleTile& tile)
      : scene_(scene), rect_(rect), tile_(tile), pixels_(rect.pixels()) {
    tile.series = fields.series;
    const std::vector<float> reference = reference_series(scene);
    for (std::size_t d = 0; d < reference.size(); ++d) {
      for (float& value : std::span(tile.series).subspan(d * count(), count())) value -= reference[d];
    }
    base_ = fields.coherence;
  }

  void run() {
    decide_fates();
    for (std::int64_t m = 0; m < scene_.network.num_pairs(); ++m) one_pair(m);
  }

 private:
  std::size_t count() const { return static_cast<std::size_t>(pixels_); }

  void decide_fates() {
    for (std::int64_t p = 0; p < pixels_; ++p) {
      const std::int64_t row = rect_.row + p / rect_.cols;
      const std::int64_t col = rect_.col + p % rect_.cols;
      const PixelFate fate = fate_of(scene_, row, col);
      const auto at = static_cast<std::size_t>(p);
      tile_.kind[at] = static_cast<std::uint8_t>(fate.kind);
      tile_.land[at] = fate.kind == PixelKind::water ? 0 : 1;
      if (fate.kind == PixelKind::water) base_[at] = water_coherence;
      if (scene_.is_reference(row, col)) base_[at] = reference_coherence;
      if (fate.kind != PixelKind::whole) special_.push_back({p, fate});
    }
  }

  void one_pair(std::int64_t m) {
    const PairSamples samples(scene_, m);
    float* phase = tile_.phase.data() + m * pixels_;
    float* coherence = tile_.coherence.data() + m * pixels_;
    const float* first = tile_.series.data() + samples.pair().first * pixels_;
    const float* second = tile_.series.data() + samples.pair().second * pixels_;
    for (std::int64_t r = 0; r < rect_.rows; ++r) {
      const std::int64_t at = r * rect_.cols;
      const auto width = static_cast<std::size_t>(rect_.cols);
      samples.coherence(raster_pixel(at), {base_.data() + at, width}, coherence + at);
      samples.phase(raster_pixel(at), {coherence + at, width}, first + at, second + at, phase + at);
    }
    spoil_pair(samples, phase, coherence);
    std::uint8_t* component = tile_.component.data() + m * pixels_;
    for (std::int64_t p = 0; p < pixels_; ++p) component[p] = coherence[p] >= trusted_coherence ? 1 : 0;
  }

  void spoil_pair(const PairSamples& samples, float* phase, float* coherence) const {
    if (samples.drops()) {
      for (std::int64_t p = 0; p < pixels_; ++p) spoil(samples, raster_pixel(p), {}, phase[p], coherence[p]);
    }
    for (const auto& [p, fate] : special_) spoil(samples, raster_pixel(p), fate, phase[p], coherence[p]);
    if (!rect_.contains(scene_.reference_row, scene_.reference_col)) return;
    const std::int64_t p = (scene_.reference_row - rect_.row) * rect_.cols + scene_.reference_col - rect_.col;
    phase[p] = samples.constant();  // the reference has neither noise nor holes
  }

  std::int64_t raster_pixel(std::int64_t p) const {
    return (rect_.row + p / rect_.cols) * scene_.cols() + rect_.col + p % rect_.cols;
  }

  struct Special {
    std::int64_t pixel;
    PixelFate fate;
  };

  const Scene& scene_;
  const TileRect& rect_;
  SampleTile& tile_;
  std::int64_t pixels_;
  std::vector<float> base_;  ///< [P] coherence without temporal decorrelation
  std::vector<Special> special_;
};

}  // namespace

void evaluate_samples(const Scene& scene, const TileRect& rect, const FieldTile& fields, SampleTile& tile) {
  const auto pixels = static_cast<std::size_t>(rect.pixels());
  tile.kind.resize(pixels);
  tile.land.resize(pixels);
  tile.phase.resize(scene.network.pairs.size() * pixels);
  tile.coherence.resize(scene.network.pairs.size() * pixels);
  tile.component.resize(scene.network.pairs.size() * pixels);
  TileSampler(scene, rect, fields, tile).run();
}

}  // namespace outcrop::tools
