// Reading for the correct-topography kernel: samples of a block of pixels, and which of them can be fitted.
#pragma once

#include "cpu/pack.hpp"
#include "cpu/pack_convert.hpp"
#include "cpu/programs/correct_topography.hpp"
#include "cpu/programs/network_scratch.hpp"
#include "model/pixel/lever.hpp"
#include "model/pixel/observation.hpp"

namespace outcrop::cpu::OUTCROP_ISA {

/// Packs whose layers are read and written together: long enough runs of each layer for the memory to stream, short
/// enough that what is read of all layers stays near.
inline constexpr int topography_packs = 256 / width;

struct TopographyScratch {
  float* series[topography_packs];      ///< each [D, width] m
  float* baseline[topography_packs];    ///< each [D, width] m, as stored; only where pixels have their own
  Lane* reference;                      ///< [packs] baseline of the reference date; likewise
  Lane* coefficient[topography_packs];  ///< each [rank]
  Lane* of_baseline;                    ///< [rank] of one pack

  // Only for the batched solver, of one pack.
  Lane* baseline_rows;  ///< [rows] relative to the reference date
  Lane* series_rows;    ///< [rows]
  Lane* design;         ///< [rows, unknowns], row after row
  Lane* normal;         ///< [unknowns, unknowns]
  Lane* unknown;        ///< [unknowns]

  Lane series_at(int p, std::int32_t date) const { return load_wide<width>(series[p] + std::int64_t{date} * width); }

  /// Relative to the reference date.
  Lane baseline_at(int p, std::int32_t date) const {
    return load_wide<width>(baseline[p] + std::int64_t{date} * width) - reference[p];
  }
};

inline TopographyScratch carve(Carver& carver, const model::pixel::FitView& fit, bool own_baselines,
                               std::int64_t num_unknowns) {
  TopographyScratch scratch{};
  const std::int64_t num_samples = std::int64_t{fit.num_dates} * width;
  for (float*& series : scratch.series) series = carver.take<float>(num_samples);
  for (Lane*& coefficient : scratch.coefficient) coefficient = carver.take<Lane>(fit.rank);
  if (own_baselines) {
    for (float*& baseline : scratch.baseline) baseline = carver.take<float>(num_samples);
    scratch.reference = carver.take<Lane>(topography_packs);
    scratch.of_baseline = carver.take<Lane>(fit.rank);
  }
  if (num_unknowns == 0) return scratch;
  scratch.baseline_rows = carver.take<Lane>(fit.num_rows);
  scratch.series_rows = carver.take<Lane>(fit.num_rows);
  scratch.design = carver.take<Lane>(fit.num_rows * num_unknowns);
  scratch.normal = carver.take<Lane>(num_unknowns * num_unknowns);
  scratch.unknown = carver.take<Lane>(num_unknowns);
  return scratch;
}

/// What the samples of a pack are like. The sums are not finite when some sample is not.
struct PackSamples {
  Sample::Mask some{};  ///< the series is not 0 at every date
  Sample sum{0.0F};     ///< of the series, in float32, date after date
  Sample baseline_sum{0.0F};
  Sample::Mask not_a_number{};  ///< NaN in the series at some date; this and the rest by look_closer()
  Sample::Mask infinite{};      ///< in the series
  Sample::Mask no_baseline{};   ///< NaN or infinity in the baselines
};

/// Finds out what is not finite in pack p, if anything is.
[[gnu::flatten]] inline void look_closer(const model::pixel::FitView& fit, const TopographyScratch& scratch, int p,
                                         bool own_baselines, PackSamples& samples) {
  namespace pixel = model::pixel;
  if (!any(~(pixel::is_finite(samples.sum) & pixel::is_finite(samples.baseline_sum)))) return;
  for (std::int32_t date = 0; date < fit.num_dates; ++date) {
    const std::int64_t at = std::int64_t{date} * width;
    const Sample value = Sample::load(scratch.series[p] + at);
    samples.not_a_number = samples.not_a_number | (value != value);
    samples.infinite = samples.infinite | pixel::is_infinite(value);
    if (!own_baselines) continue;
    samples.no_baseline = samples.no_baseline | ~pixel::is_finite(Sample::load(scratch.baseline[p] + at));
  }
}

/// Rows of a slot are pages apart, where no hardware looks ahead.
inline constexpr std::int32_t layers_ahead = 4;
inline constexpr std::int64_t line_samples = 16;

/// Reads the samples of `num_packs` packs from `first_pixel` on, layer by layer: a pack alone would touch half a cache
/// line of each.
[[gnu::flatten]] inline void read_block(const model::TopographyView& tables, const CorrectTopographyPlanes& planes,
                                        std::int64_t first_pixel, int num_packs, const TopographyScratch& scratch,
                                        PackSamples* samples) {
  const bool own_baselines = tables.own_baselines;
  for (std::int32_t date = 0; date < tables.fit.num_dates; ++date) {
    const std::int64_t row = date * planes.stride + first_pixel;
    if (date + layers_ahead < tables.fit.num_dates) {
      for (std::int64_t i = 0; i < num_packs * width; i += line_samples) {
        const std::int64_t next = row + layers_ahead * planes.stride + i;
        __builtin_prefetch(planes.series + next);
        if (own_baselines) __builtin_prefetch(planes.bperp + next);
      }
    }
    for (int p = 0; p < num_packs; ++p) {
      const Sample value = Sample::load(planes.series + row + p * width);
      value.store(scratch.series[p] + std::int64_t{date} * width);
      samples[p].some = samples[p].some | (value != Sample(0));
      samples[p].sum = samples[p].sum + value;
      if (!own_baselines) continue;
      const Sample baseline = Sample::load(planes.bperp + row + p * width);
      baseline.store(scratch.baseline[p] + std::int64_t{date} * width);
      samples[p].baseline_sum = samples[p].baseline_sum + baseline;
    }
  }
  for (int p = 0; p < num_packs && own_baselines; ++p) {
    scratch.reference[p] = load_wide<width>(scratch.baseline[p] + std::int64_t{tables.reference_date} * width);
  }
}

/// Slant range of the pixels of a pack [m].
inline Lane ranges_of(const model::TopographyView& tables, const CorrectTopographyPlanes& planes,
                      std::int64_t first_pixel) {
  if (planes.slant_range != nullptr) return widen(Sample::load(planes.slant_range + first_pixel));
  Lane range_m(tables.first_range_m);
  if (tables.range_per_column_m == 0) return range_m;
  std::int64_t col = first_pixel % planes.num_cols;
  for (int lane = 0; lane < width; ++lane) {
    set(range_m, lane, model::pixel::range_at(tables.first_range_m, tables.range_per_column_m, planes.first_col + col));
    if (++col == planes.num_cols) col = 0;
  }
  return range_m;
}

using Lever = model::pixel::Lever<Lane, Lane::Mask>;

/// `same`: all angles are.
inline Lane sines_of(const Lane& angle_deg, bool same) {
  using model::pixel::radians_per_degree;
  if (same) return Lane(__builtin_sin(angle_deg[0] * radians_per_degree));
  double sines[width];
  for (int lane = 0; lane < width; ++lane) sines[lane] = __builtin_sin(angle_deg[lane] * radians_per_degree);
  return Lane::load(sines);
}

[[gnu::flatten]] inline Lever lever_of(const model::TopographyView& tables, const CorrectTopographyPlanes& planes,
                                       std::int64_t first_pixel) {
  const Lane range_m = ranges_of(tables, planes, first_pixel);
  Lane angle_deg(tables.incidence_deg);
  if (planes.incidence != nullptr) angle_deg = widen(Sample::load(planes.incidence + first_pixel));
  return model::pixel::lever_of(range_m, angle_deg, sines_of(angle_deg, planes.incidence == nullptr));
}

}  // namespace outcrop::cpu::OUTCROP_ISA
