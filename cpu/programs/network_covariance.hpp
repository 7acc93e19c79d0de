// The covariance of the series of one pack of pixels.
#pragma once

#include "cpu/pack_convert.hpp"
#include "cpu/programs/invert_network.hpp"
#include "cpu/programs/network_scratch.hpp"
#include "model/pixel/covariance.hpp"

namespace outcrop::cpu::OUTCROP_ISA {

/// The unweighted network of pack p, eliminated, and the Laplacian of its variances. Gives: the number of islands.
[[gnu::flatten]] inline Lane assemble_covariance(const model::InversionView& tables, const NetworkScratch& scratch,
                                                 int p) {
  const model::EliminationView& plan = tables.plan;
  for (std::int32_t e = 0; e < plan.num_edges; ++e) scratch.conductance[e] = Lane(0.0);
  for (std::int32_t k = 0; k < plan.num_dates; ++k) scratch.x[k] = Lane(0.0);
  for (std::int64_t i = 0; i < std::int64_t{plan.num_dates} * plan.num_dates; ++i) scratch.covariance[i] = Lane(0.0);
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const std::int32_t pair = tables.pair_in_use[i];
    const Lane deviation = widen(scratch.deviation[p][pair]);
    const Lane one = select(deviation != Lane(0.0), Lane(1.0), Lane(0.0));
    model::pixel::add_pair(plan, pair, one, Lane(0.0), scratch.conductance, scratch.x);
    model::pixel::add_variance(plan, pair, deviation * deviation, scratch.covariance);
  }
  return model::pixel::eliminate(plan, scratch.conductance, scratch.x, scratch.inverse);
}

inline void write_covariance(const model::InversionView& tables, const InvertNetworkPlanes& planes,
                             std::int64_t first_pixel, const NetworkScratch& scratch, const Lane::Mask& wanted) {
  const model::EliminationView& plan = tables.plan;
  const std::int32_t reference = tables.covariance_position;
  const Lane factor(tables.covariance_factor);
  float* to = planes.covariance + first_pixel;
  for (std::int32_t i = 0; i < plan.num_dates; ++i) {
    for (std::int32_t j = 0; j < plan.num_dates; ++j, to += planes.stride) {
      const std::int32_t a = plan.position[i];
      const std::int32_t b = plan.position[j];
      const Lane value = a == reference || b == reference
                             ? Lane(0.0)
                             : scratch.covariance[std::int64_t{a} * plan.num_dates + b] * factor;
      store_narrow(select(wanted, value, Lane(0.0)), to);
    }
  }
}

/// Solves and writes the covariance of pack p at the pixels `wanted`, zeros elsewhere. Uses up the elimination of the
/// series.
[[gnu::flatten]] inline void solve_covariance(const model::InversionView& tables, const InvertNetworkPlanes& planes,
                                              std::int64_t first_pixel, const NetworkScratch& scratch, int p,
                                              const Lane::Mask& wanted) {
  namespace pixel = model::pixel;
  const std::int32_t reference = tables.covariance_position;
  const Lane num_islands = assemble_covariance(tables, scratch, p);
  pixel::propagate(tables.plan, scratch.conductance, scratch.inverse, scratch.covariance);
  const Lane::Mask cut = (num_islands > Lane(1.0)) & wanted;
  for (int lane = 0; lane < width && any(cut); ++lane) {
    if (!holds(cut, lane)) continue;
    pixel::refer_islands(tables.plan, scratch.conductance, scratch.inverse, reference, lane, scratch.islands,
                         scratch.covariance, scratch.x);
  }
  pixel::refer_to_date(tables.plan.num_dates, reference, scratch.covariance, scratch.x);
  write_covariance(tables, planes, first_pixel, scratch, wanted);
}

}  // namespace outcrop::cpu::OUTCROP_ISA
