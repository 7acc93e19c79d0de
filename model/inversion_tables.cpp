// The tables of an inversion: pairs in use, places of the series, the velocities of pairs.
#include "model/inversion_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace outcrop::model {
namespace {

/// Variances of observations do not depend on how the series is weighted.
Weights variances_of(const InvertNetwork& p) {
  if (!p.covariance) return {WeightFunction::none, 1};
  const bool known = p.kind == ObservationKind::offset;
  return {known ? WeightFunction::deviation : WeightFunction::variance, p.num_looks};
}

pixel::WeightView view_of(const Weights& weights) {
  return {weights.function(), nullptr, static_cast<double>(weights.num_looks())};
}

/// The date that a series is relative to and begins with. Velocities add up from the first date, whatever was removed.
int series_origin(const InvertNetwork& p) { return p.norm == MinimumNorm::phase ? p.removed_date : 0; }

}  // namespace

InversionTables::InversionTables(const Step& step)
    : owner_(step.parameters),
      parameters_(step.as<InvertNetwork>()),
      elimination_(plan_elimination(parameters_.network)),
      weights_(parameters_.weight, parameters_.num_looks),
      variances_(variances_of(parameters_)) {
  for (const float years : date_steps_yr(parameters_.network)) step_yr_.push_back(static_cast<double>(years));
  choose_pairs();
  place_series();
  fill_observing();
  fill_solving();
  scalars_.batched = step.solver == Solver::batched;
  if (scalars_.batched) fill_velocity();
}

InversionView InversionTables::view() const {
  InversionView view = scalars_;
  place_arrays(view, [](const auto& values, auto& pointer) { pointer = values.data(); });
  return view;
}

void InversionTables::choose_pairs() {
  for (std::size_t k = 0; k < parameters_.reference.size(); ++k) {
    if (std::isfinite(parameters_.reference[k])) pair_in_use_.push_back(static_cast<std::int32_t>(k));
  }
  // By edge: the kernel finishes one conductance after the other.
  const auto edge_of = [this](std::int32_t pair) { return elimination_.pair_edge[static_cast<std::size_t>(pair)]; };
  std::stable_sort(pair_in_use_.begin(), pair_in_use_.end(),
                   [&](std::int32_t a, std::int32_t b) { return edge_of(a) < edge_of(b); });
  scalars_.num_in_use = static_cast<std::int32_t>(pair_in_use_.size());
}

void InversionTables::place_series() {
  for (const int date : order_without(parameters_.network.num_dates(), series_origin(parameters_))) {
    series_position_.push_back(position_of(date));
  }
}

void InversionTables::fill_velocity() {
  const Network& network = parameters_.network;
  for (const Pair& pair : network.pairs) {
    earlier_date_.push_back(std::min(pair.first, pair.second));
    later_date_.push_back(std::max(pair.first, pair.second));
    sign_.push_back(pair.first < pair.second ? 1.0 : -1.0);
  }
  Network in_use = network;
  in_use.pairs.clear();
  for (const std::int32_t k : pair_in_use_) in_use.pairs.push_back(network.pairs[static_cast<std::size_t>(k)]);
  const std::vector<int> island = islands(in_use);
  scalars_.all_deficient = std::any_of(island.begin(), island.end(), [](int i) { return i != 0; });
}

void InversionTables::fill_observing() {
  const InvertNetwork& p = parameters_;
  scalars_.zero_is_data = p.zero_is_data;
  scalars_.weight = view_of(weights_);
  scalars_.weight_is_deviation = p.kind == ObservationKind::offset;
  scalars_.mask = p.mask;
  scalars_.mask_source = p.mask_source;
  scalars_.mask_threshold = p.mask_threshold;
  scalars_.deviation_limits = {p.mask_threshold, p.outlier_threshold};
  scalars_.min_redundancy = p.min_redundancy;
  scalars_.untested_position = position_of(p.removed_date);
}

void InversionTables::fill_solving() {
  const InvertNetwork& p = parameters_;
  scalars_.plan = elimination_.view();
  scalars_.norm = p.norm;
  scalars_.metres_per_unit = p.metres_per_unit;
  scalars_.quality_is_residual = p.kind == ObservationKind::offset;
  if (scalars_.quality_is_residual) scalars_.skipped_quality = std::numeric_limits<float>::quiet_NaN();
  scalars_.reference_count = static_cast<float>(p.reference_count.value_or(scalars_.num_in_use));
  if (!p.covariance) return;
  scalars_.has_covariance = true;
  scalars_.variance = view_of(variances_);
  scalars_.covariance_position = position_of(p.covariance->reference_date);
  scalars_.covariance_factor = p.covariance->factor;
}

}  // namespace outcrop::model
