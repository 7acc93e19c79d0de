// invert-network without the structure of the network: the weighted design matrices of a pack of pixels, their normal
// equations, Cholesky's factor and the series.
#pragma once

#include "cpu/pack_convert.hpp"
#include "cpu/programs/invert_network.hpp"
#include "cpu/programs/network_scratch.hpp"
#include "model/pixel/cholesky.hpp"

namespace outcrop::cpu::OUTCROP_ISA {

[[gnu::flatten]] inline Lane count_observed(const model::InversionView& tables, const NetworkScratch& scratch, int p) {
  Lane count(0.0);
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const Lane root = widen(scratch.root_weight[p][tables.pair_in_use[i]]);
    count = count + select(root != Lane(0.0), Lane(1.0), Lane(0.0));
  }
  return count;
}

/// One row of G: the pair is the sum of the velocities between its dates, each times its time, all times the root of
/// the weight. row [D - 1].
inline void assemble_row(const model::InversionView& tables, std::int32_t pair, const Lane& root, Lane* row) {
  const std::int32_t size = tables.plan.num_dates - 1;
  const std::int32_t low = tables.earlier_date[pair];
  const std::int32_t high = tables.later_date[pair];
  const Lane signed_root = root * Lane(tables.sign[pair]);
  for (std::int32_t j = 0; j < low; ++j) row[j] = Lane(0.0);
  for (std::int32_t j = low; j < high; ++j) row[j] = signed_root * Lane(tables.step_yr[j]);
  for (std::int32_t j = high; j < size; ++j) row[j] = Lane(0.0);
}

/// The normal equations of pack p, from chunks of rows of its design matrices.
inline void assemble_normal(const model::InversionView& tables, const NetworkScratch& scratch, int p) {
  const std::int32_t size = tables.plan.num_dates - 1;
  const BatchedNetworkScratch& to = scratch.batched;
  for (std::int64_t i = 0; i < std::int64_t{size} * size; ++i) to.normal[i] = Lane(0.0);
  for (std::int32_t j = 0; j < size; ++j) to.unknown[j] = Lane(0.0);
  for (std::int32_t begin = 0; begin < tables.num_in_use; begin += to.chunk_rows) {
    const std::int32_t left = tables.num_in_use - begin;
    const std::int32_t num_rows = left < to.chunk_rows ? left : to.chunk_rows;
    for (std::int32_t i = 0; i < num_rows; ++i) {
      const std::int32_t pair = tables.pair_in_use[begin + i];
      const Lane root = widen(scratch.root_weight[p][pair]);
      assemble_row(tables, pair, root, to.design + std::int64_t{i} * size);
      to.observed[i] = root * widen(scratch.value[p][pair]);
    }
    model::pixel::add_normal_matrix(num_rows, size, to.design, to.normal);
    model::pixel::add_normal_side(num_rows, size, to.design, to.observed, to.unknown);
  }
}

/// Solves pack p: scratch.x becomes its series by position. Gives: the pixels whose rank is in doubt.
[[gnu::flatten]] inline Lane::Mask solve_batched(const model::InversionView& tables, const NetworkScratch& scratch,
                                                 int p) {
  const std::int32_t size = tables.plan.num_dates - 1;
  assemble_normal(tables, scratch, p);
  const Lane num_weak = model::pixel::cholesky_factor(size, scratch.batched.normal);
  model::pixel::cholesky_solve(size, scratch.batched.normal, scratch.batched.unknown);
  Lane sum(0.0);
  scratch.x[tables.plan.position[0]] = sum;
  for (std::int32_t j = 0; j < size; ++j) {
    sum = sum + scratch.batched.unknown[j] * Lane(tables.step_yr[j]);
    scratch.x[tables.plan.position[j + 1]] = sum;
  }
  return num_weak > Lane(0.0);
}

}  // namespace outcrop::cpu::OUTCROP_ISA
