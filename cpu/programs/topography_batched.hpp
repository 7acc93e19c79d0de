// The fit of correct-topography without a closed form: the design matrices of a pack of pixels, their normal equations
// and Cholesky's factor. The shared columns are orthonormal already, and the pixel's own is scaled to unit norm: the
// normal equations of columns as they are would have a condition of 1e9 and more.
#pragma once

#include "cpu/pack_convert.hpp"
#include "cpu/programs/correct_topography.hpp"
#include "cpu/programs/topography_read.hpp"
#include "model/pixel/cholesky.hpp"
#include "model/pixel/project.hpp"

namespace outcrop::cpu::OUTCROP_ISA {

/// Rows of the pixels' baselines relative to the reference date, and of their series.
inline void rows_of_pack(const model::TopographyView& tables, const TopographyScratch& scratch, int p) {
  model::pixel::rows_of_dates(
      tables.fit, [&](std::int32_t date) { return scratch.series_at(p, date); }, scratch.series_rows);
  if (!tables.own_baselines) {
    model::pixel::rows_of_dates(
        tables.fit, [&](std::int32_t date) { return Lane(tables.shared.baseline_m[date]); }, scratch.baseline_rows);
    return;
  }
  model::pixel::rows_of_dates(
      tables.fit, [&](std::int32_t date) { return scratch.baseline_at(p, date); }, scratch.baseline_rows);
}

/// G = [shared columns, baselines / their norm], row after row. Gives: 1 / the norm, 0 where all baselines are 0.
inline Lane assemble_design(const model::TopographyView& tables, const TopographyScratch& scratch) {
  const std::int32_t size = tables.num_unknowns;
  Lane square(0.0);
  for (std::int32_t i = 0; i < tables.fit.num_rows; ++i) {
    square = square + scratch.baseline_rows[i] * scratch.baseline_rows[i];
  }
  const auto some = square > Lane(0.0);
  const Lane scale = select(some, Lane(1.0) / root(select(some, square, Lane(1.0))), Lane(0.0));
  for (std::int32_t i = 0; i < tables.fit.num_rows; ++i) {
    const double* const shared = tables.fit.basis + std::int64_t{i} * tables.fit.rank;
    Lane* const row = scratch.design + std::int64_t{i} * size;
    for (std::int32_t j = 0; j + 1 < size; ++j) row[j] = Lane(shared[j]);
    row[size - 1] = scratch.baseline_rows[i] * scale;
  }
  return scale;
}

/// Fits pack p: its coefficients, and `slope`, metres of range change a metre of baseline. Gives: the pixels whose rank
/// is in doubt.
[[gnu::flatten]] inline Lane::Mask fit_batched(const model::TopographyView& tables, const TopographyScratch& scratch,
                                               int p, Lane& slope) {
  namespace pixel = model::pixel;
  const std::int32_t size = tables.num_unknowns;
  rows_of_pack(tables, scratch, p);
  const Lane scale = assemble_design(tables, scratch);
  for (std::int32_t i = 0; i < size * size; ++i) scratch.normal[i] = Lane(0.0);
  for (std::int32_t j = 0; j < size; ++j) scratch.unknown[j] = Lane(0.0);
  pixel::add_normal_matrix(tables.fit.num_rows, size, scratch.design, scratch.normal);
  pixel::add_normal_side(tables.fit.num_rows, size, scratch.design, scratch.series_rows, scratch.unknown);
  const Lane num_weak = pixel::cholesky_factor(size, scratch.normal);
  pixel::cholesky_solve(size, scratch.normal, scratch.unknown);
  for (std::int32_t j = 0; j < tables.fit.rank; ++j) {
    scratch.coefficient[p][j] = j + 1 < size ? scratch.unknown[j] : Lane(0.0);
  }
  slope = scratch.unknown[size - 1] * scale;
  return num_weak > Lane(0.0);
}

}  // namespace outcrop::cpu::OUTCROP_ISA
