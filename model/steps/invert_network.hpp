// The step invert-network: M pairs become D dates at each pixel, by weighted least squares and, where the pixel's
// network falls apart, by minimum norm. The pairs are interferograms (phases) or offsets of amplitude images.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/network.hpp"
#include "model/step.hpp"
#include "model/weight.hpp"

namespace outcrop::model {

/// What was observed. Phases have coherences and are judged by their temporal coherence; offsets have standard
/// deviations and are judged by the root of the sum of their squared residuals.
enum class ObservationKind { phase, offset };

/// Which samples a mask plane keeps; what is not kept is as if it had not been observed.
enum class MaskRule {
  none,
  nonzero,    ///< connectComponent: any label but 0; NaN is 0
  at_least,   ///< coherence, signal-to-noise ratio: float value >= threshold; NaN is 0
  deviation,  ///< standard deviation of offsets: float value <= threshold, or up to 5 x threshold where the offset
              ///< stands out
};

/// Where the values of the mask are: a plane that weights need anyway is read once.
enum class MaskSource { own, coherence, deviation };

/// Which norm is smallest where the network does not determine the answer.
enum class MinimumNorm { velocity, phase };

/// The covariance of the series that the noise of the observations causes.
struct Covariance {
  int reference_date = 0;  ///< the date whose row and column are 0
  double factor = 1;       ///< from squares of the unit of the observation to those of the series
};

struct InvertNetwork final : StepParameters {
  Network network;  ///< pair k is layer k of the observation planes

  ObservationKind kind = ObservationKind::phase;
  bool zero_is_data = false;  ///< a sample that is exactly 0 after referencing counts; in phases it means no data

  /// [M] unit of the observation: its value at the reference pixel, subtracted from every sample that is not exactly 0.
  /// 0: nothing to subtract. NaN: the pair is left out at every pixel.
  std::vector<float> reference;

  WeightFunction weight = WeightFunction::variance;  ///< `deviation` is for offsets, the others but `none` for phases
  int num_looks = 1;                                 ///< independent looks, for the weights variance and fisher

  MaskRule mask = MaskRule::none;
  MaskSource mask_source = MaskSource::own;
  float mask_threshold = 0.4F;
  float outlier_threshold = 2;  ///< rule `deviation`: 5 x threshold
  std::vector<float>
      median;  ///< [M] rule `deviation`: of the offsets with at most the threshold; NaN when there is none

  double min_redundancy = 1;  ///< a pixel is left out when a date other than `removed_date` has fewer observations
  MinimumNorm norm = MinimumNorm::velocity;
  double metres_per_unit = 1;  ///< from the unit of the observation to metres; phases: -wavelength / (4 pi)

  /// Not 0 only to give MintPy's answer when all pairs begin with this later date: redundancy is not asked of it, and a
  /// series of least phase is relative to it, in the order of order_without().
  int removed_date = 0;

  bool has_reference_pixel = false;  ///< its quality is perfect and its count that of the pairs, whatever was observed
  std::int64_t reference_row = 0;
  std::int64_t reference_col = 0;
  std::optional<std::int64_t> reference_count;  ///< nullopt: the pairs in use

  bool has_water_mask = false;    ///< plane "water_mask": 0 leaves the pixel out
  bool has_quality_mask = false;  ///< plane "quality_mask": 0 leaves the pixel out

  std::optional<Covariance> covariance;  ///< asks for the plane "covariance"
  bool wants_islands = false;            ///< asks for the plane "islands"

  std::int64_t num_pairs() const { return static_cast<std::int64_t>(network.pairs.size()); }
};

/// Order of the step's findings in a tally.
enum InvertNetworkFinding { infinite_sample, negative_label, num_invert_network_findings };

/// Declares the planes.
///   in   "observation" [M] rad or pixels; "coherence" [M] 0..1 or "std" [M], pixels, when weights, mask or covariance
///   need
///        it; "mask" [M] when another mask is used; "water_mask", "quality_mask" [1]
///   out  "timeseries" [D] m; "quality" [1]: temporal coherence 0..1, or residual in the unit of the offsets;
///        "count" [1] observations used; "status" [1] PixelStatus; when asked for "islands" [1]: parts of the pixel's
///        network, at most 255, 0 where not solved; "covariance" [D * D] m^2
/// Skipped pixels are 0 in all float outputs, but NaN in the residual.
Step make_invert_network(std::shared_ptr<const InvertNetwork> parameters);

}  // namespace outcrop::model
