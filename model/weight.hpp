// Coherence or standard deviation to weight: how much an observation counts.
#pragma once

#include <array>
#include <vector>

namespace outcrop::model {

enum class WeightFunction {
  none,       ///< all 1
  coherence,  ///< w = c
  fisher,     ///< Fisher information, w = 2 N c^2 / (1 - c^2)
  variance,   ///< 1 / phase variance of a distributed scatterer
  deviation,  ///< 1 / std^2 of an observation whose standard deviation is known (offsets)
};

inline constexpr int num_coherence_bins = 200;

/// Phase variance [rad^2] of a distributed scatterer for the 200 coherences 0.0025, 0.0075 ... 0.9975 and `num_looks`
/// independent looks (limited to 1..80), by numerical integration of the phase's probability density (Tough et al.
/// 1995, as MintPy tabulates it, its step of 2 pi / 200 over 200 points from -pi to pi included).
std::array<double, num_coherence_bins> phase_variance(int num_looks);

/// The weights of `function`, with the table that `variance` needs. weight(c) is what enters the normal equations:
/// the square of the float32 square root of the float32 weight, as MintPy's float32 system has it.
class Weights {
 public:
  Weights(WeightFunction function, int num_looks);

  /// value: coherence as stored, where NaN counts as 0 and all below 0.05 as 0.05; for `deviation` the standard
  /// deviation, where NaN and infinity count as 100 and all below 0.005 as 0.005.
  double operator()(float value) const;

  WeightFunction function() const { return function_; }
  int num_looks() const { return num_looks_; }
  const std::array<float, num_coherence_bins>& table() const { return table_; }

 private:
  WeightFunction function_;
  int num_looks_;
  std::array<float, num_coherence_bins> table_{};  ///< roots of the weights of the bins, for `variance`
};

}  // namespace outcrop::model
