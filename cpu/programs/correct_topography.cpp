// correct-topography on packs of pixels. Built once for each instruction set, in its namespace.
#include "cpu/programs/correct_topography.hpp"

#include "cpu/isa.hpp"
#include "cpu/programs/topography_batched.hpp"
#include "cpu/programs/topography_read.hpp"
#include "model/pixel/project.hpp"

namespace outcrop::cpu::OUTCROP_ISA {
namespace {

namespace pixel = model::pixel;

using LaneMask = Lane::Mask;

std::int64_t scratch_bytes(const pixel::FitView& fit, bool own_baselines, std::int32_t num_unknowns) {
  Carver carver;
  carve(carver, fit, own_baselines, num_unknowns);
  return carver.used;
}

LaneMask widened(const Sample::Mask& mask) { return widen(select(mask, Sample(1.0F), Sample(0.0F))) != Lane(0.0); }

/// The lanes from the `count`-th on.
LaneMask behind(std::int64_t count) {
  Lane number(0.0);
  for (int lane = 0; lane < width; ++lane) set(number, lane, static_cast<double>(lane));
  return number >= Lane(static_cast<double>(count));
}

constexpr double code_of(PixelStatus status) { return static_cast<double>(status); }

/// Pixels that are not to be looked at: behind the end, or masked. NaN masks nothing.
LaneMask skipped_pixels(const CorrectTopographyPlanes& planes, std::int64_t first_pixel, std::int64_t end) {
  LaneMask skipped{};
  if (planes.quality_mask != nullptr) {
    skipped = widen(Sample::load(planes.quality_mask + first_pixel)) == Lane(0.0);
  }
  if (first_pixel + width > end) skipped = skipped | behind(end - first_pixel);
  return skipped;
}

/// What a pack comes to.
struct PackAnswer {
  LaneMask wanted{};  ///< pixels that are fitted
  bool all_wanted = false;
  Lane status{code_of(PixelStatus::masked)};
  Lane slope{0.0};  ///< metres of range change a metre of baseline
  Lane dem_error{0.0};
  LaneMask finding[model::num_correct_topography_findings] = {};
};

/// Which pixels can be fitted, and what becomes of the others.
void judge(const model::TopographyView& tables, const PackSamples& samples, const LaneMask& skipped, const Lever& lever,
           PackAnswer& answer) {
  const LaneMask some = widened(samples.some);
  const LaneMask no_mean = widened(samples.sum == Sample(0.0F));
  const LaneMask unreadable = widened(samples.infinite | samples.no_baseline);
  const LaneMask bad_series = widened(samples.not_a_number);
  LaneMask no_data = ~some | bad_series | unreadable;
  if (tables.empty_by_mean) no_data = no_data | no_mean;
  Lane status = select(lever.good, Lane(code_of(PixelStatus::ok)), Lane(code_of(PixelStatus::bad_geometry)));
  status = select(no_data, Lane(code_of(PixelStatus::no_data)), status);
  answer.status = select(skipped, Lane(code_of(PixelStatus::masked)), status);
  answer.wanted = ~(skipped | no_data) & lever.good;
  const LaneMask otherwise_fitted = ~skipped & some & ~bad_series & lever.good;
  answer.finding[model::infinite_value] = otherwise_fitted & unreadable;
  answer.finding[model::zero_mean] = otherwise_fitted & no_mean & ~unreadable;
}

/// The fit of a pack whose pixels have baselines of their own. Gives: where c is in the span of the shared columns.
[[gnu::flatten]] LaneMask fit_own(const model::TopographyView& tables, const TopographyScratch& scratch, int p,
                                  const Lane& lever_m, const LaneMask& wanted, PackAnswer& answer) {
  const pixel::FitView& fit = tables.fit;
  const pixel::RowsOfDates c(fit, [&](std::int32_t date) { return scratch.baseline_at(p, date); });
  const pixel::RowsOfDates y(fit, [&](std::int32_t date) { return scratch.series_at(p, date); });
  const auto fitted = pixel::fit_own(fit, wanted, c, y, lever_m, scratch.of_baseline, scratch.coefficient[p]);
  answer.slope = fitted.slope;
  answer.finding[model::no_baseline] = fitted.zero;
  answer.finding[model::dependent_columns] = without(fitted.dependent, fitted.zero);
  return fitted.dependent;
}

/// The fit of a pack where all pixels have the same baselines.
[[gnu::flatten]] LaneMask fit_shared(const model::TopographyView& tables, const TopographyScratch& scratch, int p,
                                     const Lane& lever_m, const LaneMask& wanted, PackAnswer& answer) {
  const pixel::FitView& fit = tables.fit;
  const pixel::SharedBaselineView& shared = tables.shared;
  Lane slope(0.0);
  for (std::int32_t date = 0; date < fit.num_dates; ++date) {
    slope = slope + Lane(shared.slope[date]) * scratch.series_at(p, date);
  }
  if (shared.dependent) slope = pixel::least_norm_slope(Lane(shared.square), slope, lever_m);
  answer.slope = select(wanted, slope, Lane(0.0));
  for (std::int32_t j = 0; j < fit.rank; j += pixel::basis_group) {
    pixel::GroupSums<Lane> sum{Lane(0.0), Lane(0.0), Lane(0.0), Lane(0.0)};
    sum.add(shared.column + j, Lane(0.0) - answer.slope);
    for (std::int32_t date = 0; date < fit.num_dates; ++date) {
      sum.add(shared.data + std::int64_t{date} * fit.rank + j, scratch.series_at(p, date));
    }
    sum.store(scratch.coefficient[p] + j);
  }
  const LaneMask dependent = shared.dependent ? wanted : LaneMask{};
  answer.finding[shared.zero ? model::no_baseline : model::dependent_columns] = dependent;
  return dependent;
}

/// The batched fit of a pack. What it marks is not wanted any more: the reference fits it.
[[gnu::noinline]] void fit_or_mark(const model::TopographyView& tables, const TopographyScratch& scratch, int p,
                                   const LaneMask& wanted, PackAnswer& answer) {
  Lane slope(0.0);
  const LaneMask marked = tables.all_deficient ? wanted : wanted & fit_batched(tables, scratch, p, slope);
  answer.wanted = wanted & ~marked;
  answer.slope = select(answer.wanted, slope, Lane(0.0));
  answer.status = select(marked, Lane(static_cast<double>(marked_pixel)), answer.status);
}

void fit_pack(const model::TopographyView& tables, const TopographyScratch& scratch, int p, const Lever& lever,
              PackAnswer& answer) {
  const LaneMask wanted = answer.wanted;
  const Lane lever_m = select(wanted, lever.metres, Lane(1.0));
  LaneMask deficient{};
  if (tables.num_unknowns > 0) {
    fit_or_mark(tables, scratch, p, wanted, answer);
  } else if (tables.own_baselines) {
    deficient = fit_own(tables, scratch, p, lever_m, wanted, answer);
  } else {
    deficient = fit_shared(tables, scratch, p, lever_m, wanted, answer);
  }
  LaneMask& surprising = answer.finding[model::dependent_columns];
  if (!tables.rows_enough) surprising = LaneMask{};
  if (tables.columns_surprising) surprising = wanted;
  if (tables.columns_dependent) deficient = answer.wanted;
  answer.dem_error = answer.slope * lever_m;
  answer.status = select(deficient, Lane(code_of(PixelStatus::min_norm)), answer.status);
}

/// Most packs are fitted whole: a question a pack costs less than a choice a number.
[[gnu::always_inline]] inline void write(const PackAnswer& answer, const Lane& value, float* to) {
  if (answer.all_wanted) {
    stream_narrow(value, to);
  } else {
    stream_narrow(select(answer.wanted, value, Lane(0.0)), to);
  }
}

/// Writes the series of `num_packs` packs, layer by layer.
[[gnu::flatten]] void write_block(const model::TopographyView& tables, const CorrectTopographyPlanes& planes,
                                  std::int64_t first_pixel, int num_packs, const TopographyScratch& scratch,
                                  const PackAnswer* answers) {
  const pixel::FitView& fit = tables.fit;
  for (std::int32_t date = 0; date < fit.num_dates; ++date) {
    for (int p = 0; p < num_packs; ++p) {
      const std::int64_t at = date * planes.stride + first_pixel + p * width;
      const Lane baseline = tables.own_baselines ? scratch.baseline_at(p, date) : Lane(tables.shared.baseline_m[date]);
      const Lane corrected = scratch.series_at(p, date) - baseline * answers[p].slope;
      write(answers[p], corrected, planes.corrected + at);
      if (planes.residual == nullptr) continue;
      write(answers[p], corrected - pixel::predicted(fit, date, scratch.coefficient[p]), planes.residual + at);
    }
  }
}

void write_zeros(const model::TopographyView& tables, const CorrectTopographyPlanes& planes, std::int64_t first_pixel,
                 int num_packs) {
  for (float* plane : {planes.corrected, planes.residual}) {
    if (plane == nullptr) continue;
    for (std::int32_t date = 0; date < tables.fit.num_dates; ++date) {
      for (int p = 0; p < num_packs; ++p) Sample(0.0F).store(plane + date * planes.stride + first_pixel + p * width);
    }
  }
}

void write_maps(const CorrectTopographyPlanes& planes, std::int64_t first_pixel, std::int64_t end,
                const PackAnswer& answer, TopographyCounts& counts) {
  store_narrow(select(answer.wanted, answer.dem_error, Lane(0.0)), planes.dem_error + first_pixel);
  for (int lane = 0; lane < width; ++lane) {
    const int code = static_cast<int>(answer.status[lane]);
    planes.status[first_pixel + lane] = static_cast<std::uint8_t>(code);
    if (first_pixel + lane >= end) continue;
    if (code != marked_pixel) ++counts.status[code];
  }
  for (int f = 0; f < model::num_correct_topography_findings; ++f) {
    if (!any(answer.finding[f])) continue;
    for (int lane = 0; lane < width && first_pixel + lane < end; ++lane) {
      counts.finding[f] += holds(answer.finding[f], lane) ? 1 : 0;
    }
  }
}

void run_block(const model::TopographyView& tables, const CorrectTopographyPlanes& planes, std::int64_t first_pixel,
               int num_packs, std::int64_t end, const TopographyScratch& scratch, TopographyCounts& counts) {
  PackAnswer answers[topography_packs];
  LaneMask skipped[topography_packs];
  bool look = false;
  bool fitted = false;
  for (int p = 0; p < num_packs; ++p) {
    skipped[p] = skipped_pixels(planes, first_pixel + p * width, end);
    look = look || any(~skipped[p]);
  }
  if (look) {
    PackSamples samples[topography_packs];
    read_block(tables, planes, first_pixel, num_packs, scratch, samples);
    for (int p = 0; p < num_packs; ++p) {
      const Lever lever = lever_of(tables, planes, first_pixel + p * width);
      look_closer(tables.fit, scratch, p, tables.own_baselines, samples[p]);
      judge(tables, samples[p], skipped[p], lever, answers[p]);
      if (!any(answers[p].wanted)) continue;
      fit_pack(tables, scratch, p, lever, answers[p]);
      answers[p].all_wanted = !any(~answers[p].wanted);
      fitted = fitted || any(answers[p].wanted);
    }
  }
  if (fitted) {
    write_block(tables, planes, first_pixel, num_packs, scratch, answers);
  } else {
    write_zeros(tables, planes, first_pixel, num_packs);
  }
  for (int p = 0; p < num_packs; ++p) write_maps(planes, first_pixel + p * width, end, answers[p], counts);
}

void run(const model::TopographyView& tables, const CorrectTopographyPlanes& planes, std::int64_t begin,
         std::int64_t end, std::byte* memory, TopographyCounts& counts) {
  Carver carver{memory};
  const TopographyScratch scratch = carve(carver, tables.fit, tables.own_baselines, tables.num_unknowns);
  for (std::int64_t block = begin; block < end; block += topography_packs * width) {
    const std::int64_t left = (end - block + width - 1) / width;
    const int num_packs = left < topography_packs ? static_cast<int>(left) : topography_packs;
    run_block(tables, planes, block, num_packs, end, scratch, counts);
  }
  settle_streams();
}

}  // namespace

const CorrectTopographyKernel correct_topography_kernel{width, scratch_bytes, run};

}  // namespace outcrop::cpu::OUTCROP_ISA
