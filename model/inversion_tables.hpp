// InversionTables: what is the same at all pixels of invert-network, made once from its parameters. A backend puts the
// arrays where its pixels can read them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/elimination.hpp"
#include "model/pixel/observation.hpp"
#include "model/pixel/weight.hpp"
#include "model/steps/invert_network.hpp"
#include "model/weight.hpp"

namespace outcrop::model {

/// The planes of one slot as a pixel sees them; absent ones are null. Rows of [depth] planes are `stride` pixels apart.
struct InversionPlanes {
  std::int64_t stride = 0;
  const float* observation = nullptr;   ///< [M]
  const float* coherence = nullptr;     ///< [M]
  const float* deviation = nullptr;     ///< [M] unit of the observation
  const float* mask = nullptr;          ///< [M]
  const float* water_mask = nullptr;    ///< [1]
  const float* quality_mask = nullptr;  ///< [1]
  float* timeseries = nullptr;          ///< [D] m
  float* quality = nullptr;             ///< [1]
  float* count = nullptr;               ///< [1]
  std::uint8_t* status = nullptr;       ///< [1] PixelStatus
  std::uint8_t* islands = nullptr;      ///< [1]
  float* covariance = nullptr;          ///< [D * D] m^2
};

/// What a pixel needs of InversionTables: plain data, the same on the host and on a device.
struct InversionView {
  EliminationView plan;
  const std::int32_t* pair_in_use = nullptr;  ///< [num_in_use] pairs whose reference is finite, by their edges
  std::int32_t num_in_use = 0;
  const float* reference = nullptr;  ///< [M] unit of the observation
  bool zero_is_data = false;
  pixel::WeightView weight;
  bool weight_is_deviation = false;  ///< weights come from the plane std, else from coherence
  MaskRule mask = MaskRule::none;
  MaskSource mask_source = MaskSource::own;
  float mask_threshold = 0;
  pixel::DeviationLimits deviation_limits;
  const float* median = nullptr;  ///< [M] of the rule `deviation`
  double min_redundancy = 0;
  std::int32_t untested_position = 0;  ///< of the date of which no redundancy is asked
  MinimumNorm norm = MinimumNorm::velocity;
  const double* step_yr = nullptr;                ///< [D - 1] years between neighbouring dates
  const std::int32_t* series_position = nullptr;  ///< [D] whose position the series has at each index, its origin first
  double metres_per_unit = 1;
  bool quality_is_residual = false;
  float skipped_quality = 0;  ///< of pixels that are not solved
  float reference_count = 0;  ///< observations of the reference pixel

  bool has_covariance = false;
  pixel::WeightView variance;  ///< gives 1 / standard deviation of an observation
  std::int32_t covariance_position = 0;
  double covariance_factor = 1;

  /// The design matrix of velocities: pair k is sign times the sum, from its earlier date to its later one, of velocity
  /// times step_yr. Only for the batched solver.
  bool batched = false;
  const std::int32_t* earlier_date = nullptr;  ///< [M]
  const std::int32_t* later_date = nullptr;    ///< [M]
  const double* sign = nullptr;                ///< [M] -1 where the later date is listed first
  bool all_deficient = false;                  ///< the pairs in use do not connect the dates, whatever the pixel
};

/// Owns the arrays of an InversionView.
class InversionTables {
 public:
  /// Keeps the step's parameters. Expects: the step is invert-network.
  explicit InversionTables(const Step& step);

  const InvertNetwork& parameters() const { return parameters_; }
  const Elimination& elimination() const { return elimination_; }

  /// Of arrays in the memory of the host; valid while the tables are.
  InversionView view() const;

  /// Calls place(values, pointer) for every array of the view. `pointer`: the view's member that has to point at them.
  template <class Place>
  void place_arrays(InversionView& view, const Place& place) const {
    place(elimination_.position, view.plan.position);
    place(elimination_.pair_first, view.plan.pair_first);
    place(elimination_.pair_second, view.plan.pair_second);
    place(elimination_.pair_edge, view.plan.pair_edge);
    place(elimination_.edge_begin, view.plan.edge_begin);
    place(elimination_.neighbour, view.plan.neighbour);
    place(elimination_.target, view.plan.target);
    place(step_yr_, view.step_yr);
    place(pair_in_use_, view.pair_in_use);
    place(series_position_, view.series_position);
    place(parameters_.reference, view.reference);
    place(parameters_.median, view.median);
    place(weights_.table(), view.weight.table);
    place(variances_.table(), view.variance.table);
    place(earlier_date_, view.earlier_date);
    place(later_date_, view.later_date);
    place(sign_, view.sign);
  }

 private:
  void choose_pairs();
  void place_series();
  void fill_velocity();
  void fill_observing();
  void fill_solving();
  std::int32_t position_of(int date) const { return elimination_.position[static_cast<std::size_t>(date)]; }

  std::shared_ptr<const StepParameters> owner_;  ///< keeps parameters_ alive
  const InvertNetwork& parameters_;
  Elimination elimination_;
  Weights weights_;
  Weights variances_;  ///< of the observations; used for the covariance only
  std::vector<double> step_yr_;
  std::vector<std::int32_t> pair_in_use_;
  std::vector<std::int32_t> series_position_;
  std::vector<std::int32_t> earlier_date_;
  std::vector<std::int32_t> later_date_;
  std::vector<double> sign_;
  InversionView scalars_;  ///< its arrays are not to be used
};

}  // namespace outcrop::model
