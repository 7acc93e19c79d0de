// Random numbers by position: what a pixel gets depends on the seed, a stream and its place, never on the order of
// work.
#pragma once

#include <cstdint>

namespace outcrop::tools {

/// What is random in a scene, each with numbers of its own.
enum class Stream : std::uint64_t {
  baseline,
  long_pairs,
  height,
  dem_error,
  season,
  atmosphere_wide,
  atmosphere_fine,
  coherence,
  pair_constant,
  sample_noise,
  sample_dropout,
  pixel_kind,
  pixel_date,
};

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection of 64 bits that passes for random.
inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// An endless row of numbers that can be entered anywhere.
class RandomStream {
 public:
  /// `layer`: date or pair, where each has its own numbers.
  RandomStream(std::uint64_t seed, Stream stream, std::int64_t layer = 0)
      : key_(mix(mix(mix(seed + step) + static_cast<std::uint64_t>(stream) * step) +
                 static_cast<std::uint64_t>(layer) * step)) {}

  std::uint64_t bits(std::int64_t index) const { return mix(key_ + static_cast<std::uint64_t>(index) * step); }

  /// In [0, 1).
  double uniform(std::int64_t index) const { return static_cast<double>(bits(index) >> 11) * 0x1p-53; }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;  // 2^64 / golden ratio, odd
  std::uint64_t key_;
};

/// Mean 0, variance 1, within +-3.46: the sum of four uniform numbers, near enough to normal for noise and quick to
/// make.
inline float normal_of(std::uint64_t bits) {
  const std::uint64_t sum = (bits & 0xffffU) + (bits >> 16 & 0xffffU) + (bits >> 32 & 0xffffU) + (bits >> 48);
  constexpr float mean = 2.0F * 65535.0F;
  constexpr float deviation = 37837.2F;  // 65536 / sqrt(3)
  return (static_cast<float>(static_cast<std::int32_t>(sum)) - mean) / deviation;
}

}  // namespace outcrop::tools
