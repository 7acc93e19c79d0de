// From the planes of a slot to the normal equations of one pixel: referencing, masks, weights.
#pragma once

#include "core/host_device.hpp"
#include "gpu/programs/network_memory.hpp"
#include "model/inversion_tables.hpp"
#include "model/pixel/observation.hpp"
#include "model/pixel/star_mesh.hpp"
#include "model/pixel/weight.hpp"

namespace outcrop::gpu {

/// One sample of one pair at one pixel.
struct PairSample {
  float value = 0;  ///< referenced
  bool counts = false;
  bool infinite = false;        ///< and not masked
  bool negative_label = false;  ///< of its mask
};

OUTCROP_HD inline const float* mask_plane(const model::InversionView& tables, const NetworkPlanes& planes) {
  if (tables.mask_source == model::MaskSource::coherence) return planes.coherence;
  return tables.mask_source == model::MaskSource::deviation ? planes.deviation : planes.mask;
}

OUTCROP_HD inline PairSample sample_of(const model::InversionView& tables, const NetworkPlanes& planes,
                                       std::int32_t pair, std::int64_t pixel) {
  namespace body = model::pixel;
  const std::int64_t at = pair * planes.stride + pixel;
  PairSample sample;
  sample.value = body::referenced(planes.observation[at], tables.reference[pair]);
  sample.counts = body::usable(sample.value, tables.zero_is_data) != 0;
  sample.infinite = body::is_infinite(sample.value) != 0;
  if (tables.mask == model::MaskRule::none) return sample;
  const float mask = mask_plane(tables, planes)[at];
  bool keeps = false;
  if (tables.mask == model::MaskRule::nonzero) {
    sample.negative_label = mask < 0.0F;
    keeps = body::keeps_nonzero(mask) != 0;
  } else if (tables.mask == model::MaskRule::at_least) {
    keeps = body::keeps_at_least(mask, tables.mask_threshold);
  } else {
    keeps = body::keeps_deviation(sample.value, mask, tables.median[pair], tables.deviation_limits) != 0;
  }
  sample.counts = sample.counts && keeps;
  sample.infinite = sample.infinite && keeps;
  return sample;
}

/// Coherence or standard deviation of a sample.
OUTCROP_HD inline float uncertainty_of(const model::InversionView& tables, const NetworkPlanes& planes,
                                       std::int32_t pair, std::int64_t pixel) {
  return (tables.weight_is_deviation ? planes.deviation : planes.coherence)[pair * planes.stride + pixel];
}

/// What the samples of a pixel came to.
struct Observed {
  double count = 0;
  bool infinite = false;
  bool negative_label = false;
};

/// Adds one pair to the normal equations. Gives: its weight, 0 where it does not count.
OUTCROP_HD inline double observe_pair(const model::InversionView& tables, const NetworkPlanes& planes,
                                      std::int32_t pair, std::int64_t pixel, const NetworkColumns& mine,
                                      Observed& observed) {
  namespace body = model::pixel;
  const PairSample sample = sample_of(tables, planes, pair, pixel);
  observed.infinite = observed.infinite || sample.infinite;
  observed.negative_label = observed.negative_label || sample.negative_label;
  if (!sample.counts) return 0;
  double root = 1;
  if (tables.weight.function != model::WeightFunction::none) {
    root = body::widen(body::root_weight<double>(tables.weight, uncertainty_of(tables, planes, pair, pixel)));
  }
  const double weight = root * root;
  observed.count += 1;
  mine.redundancy[tables.plan.pair_first[pair]] += 1.0F;
  mine.redundancy[tables.plan.pair_second[pair]] += 1.0F;
  body::add_flow(tables.plan, pair, weight, body::widen(sample.value), mine.x);
  return weight;
}

/// Forms the normal equations of a pixel and counts the observations of each date.
OUTCROP_HD inline Observed observe(const model::InversionView& tables, const NetworkPlanes& planes, std::int64_t pixel,
                                   const NetworkColumns& mine) {
  Observed observed;
  for (std::int32_t k = 0; k < tables.plan.num_dates; ++k) {
    mine.x[k] = 0;
    mine.redundancy[k] = 0;
  }
  std::int32_t i = 0;
  for (std::int32_t e = 0; e < tables.plan.num_edges; ++e) {
    double conductance = 0;
    for (; i < tables.num_in_use && tables.plan.pair_edge[tables.pair_in_use[i]] == e; ++i) {
      conductance += observe_pair(tables, planes, tables.pair_in_use[i], pixel, mine, observed);
    }
    mine.conductance[e] = conductance;
  }
  return observed;
}

/// Whether a date other than the one at `untested` has fewer observations than are asked for.
OUTCROP_HD inline bool too_few(const model::InversionView& tables, const NetworkColumns& mine, std::int32_t untested) {
  for (std::int32_t k = 0; k < tables.plan.num_dates; ++k) {
    if (k != untested && static_cast<double>(mine.redundancy[k]) < tables.min_redundancy) return true;
  }
  return false;
}

}  // namespace outcrop::gpu
