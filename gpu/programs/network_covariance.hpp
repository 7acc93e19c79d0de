// The covariance of the series of one pixel.
#pragma once

#include "core/host_device.hpp"
#include "gpu/programs/network_observe.hpp"
#include "model/pixel/covariance.hpp"

namespace outcrop::gpu {

/// The unweighted network of a pixel, eliminated, and the Laplacian of its variances. Gives: the number of islands.
OUTCROP_HD inline double assemble_covariance(const model::InversionView& tables, const NetworkPlanes& planes,
                                             std::int64_t pixel, const NetworkColumns& mine) {
  namespace body = model::pixel;
  const model::EliminationView& plan = tables.plan;
  for (std::int32_t e = 0; e < plan.num_edges; ++e) mine.conductance[e] = 0;
  for (std::int32_t k = 0; k < plan.num_dates; ++k) mine.x[k] = 0;
  for (std::int64_t i = 0; i < std::int64_t{plan.num_dates} * plan.num_dates; ++i) mine.covariance[i] = 0;
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const std::int32_t pair = tables.pair_in_use[i];
    if (!sample_of(tables, planes, pair, pixel).counts) continue;
    const float root = body::root_weight<double>(tables.variance, uncertainty_of(tables, planes, pair, pixel));
    const double deviation = body::widen(1.0F / root);
    body::add_pair(plan, pair, 1.0, 0.0, mine.conductance, mine.x);
    body::add_variance(plan, pair, deviation * deviation, mine.covariance);
  }
  return body::eliminate(plan, mine.conductance, mine.x, mine.inverse);
}

/// `wanted`: else zeros are written.
OUTCROP_HD inline void write_covariance(const model::InversionView& tables, const NetworkPlanes& planes,
                                        std::int64_t pixel, const NetworkColumns& mine, bool wanted) {
  const model::EliminationView& plan = tables.plan;
  const std::int32_t reference = tables.covariance_position;
  float* to = planes.covariance + pixel;
  for (std::int32_t i = 0; i < plan.num_dates; ++i) {
    for (std::int32_t j = 0; j < plan.num_dates; ++j, to += planes.stride) {
      const std::int32_t a = plan.position[i];
      const std::int32_t b = plan.position[j];
      const bool zero = !wanted || a == reference || b == reference;
      *to = zero ? 0.0F
                 : static_cast<float>(mine.covariance[std::int64_t{a} * plan.num_dates + b] * tables.covariance_factor);
    }
  }
}

/// Uses up the elimination of the series. Gives: false when the pixel has more islands than there is room for.
OUTCROP_HD inline bool solve_covariance(const model::InversionView& tables, const NetworkPlanes& planes,
                                        std::int64_t pixel, const NetworkColumns& mine, std::int32_t max_islands) {
  namespace body = model::pixel;
  const std::int32_t reference = tables.covariance_position;
  const double num_islands = assemble_covariance(tables, planes, pixel, mine);
  if (num_islands > max_islands) return false;
  body::propagate(tables.plan, mine.conductance, mine.inverse, mine.covariance);
  if (num_islands > 1) {
    body::refer_islands(tables.plan, mine.conductance, mine.inverse, reference, 0, mine.islands, mine.covariance,
                        mine.x);
  }
  body::refer_to_date(tables.plan.num_dates, reference, mine.covariance, mine.x);
  write_covariance(tables, planes, pixel, mine, true);
  return true;
}

}  // namespace outcrop::gpu
