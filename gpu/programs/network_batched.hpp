// invert-network without the structure of the network: the design matrix of a pixel, a row for each pair, and what the
// solution of its normal equations means. The unknowns are the velocities between neighbouring dates.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "core/status.hpp"
#include "gpu/programs/network_pixels.hpp"
#include "gpu/programs/normal_equations.hpp"

namespace outcrop::gpu {

/// One thread a row: a pair is the sum of the velocities between its dates, each times its time, all times the root of
/// the weight; 0 where it does not count.
struct NetworkAssembly {
  NetworkPixels pixels;
  DesignBatch to;
  std::int64_t first_pixel = 0;  ///< of the batch in the tile

  OUTCROP_HD void operator()(std::int64_t item, std::int64_t /*thread*/) const {
    const model::InversionView& tables = pixels.tables;
    const std::int64_t at = item / to.num_rows;
    const auto row = static_cast<std::int32_t>(item % to.num_rows);
    const std::int32_t pair = tables.pair_in_use[row];
    const PairSample sample = sample_of(tables, pixels.planes, pair, first_pixel + at);
    const double root = sample.counts ? root_of(pair, first_pixel + at) : 0;
    const double signed_root = root * tables.sign[pair];
    const std::int32_t low = tables.earlier_date[pair];
    const std::int32_t high = tables.later_date[pair];
    double* const design = to.design + item * to.size;
    for (std::int32_t j = 0; j < to.size; ++j) design[j] = j < low || j >= high ? 0 : signed_root * tables.step_yr[j];
    to.observed[item] = sample.counts ? root * model::pixel::widen(sample.value) : 0;
    if (row == 0) to.scale[at] = 1;
  }

 private:
  OUTCROP_HD double root_of(std::int32_t pair, std::int64_t pixel) const {
    const model::InversionView& tables = pixels.tables;
    if (tables.weight.function == model::WeightFunction::none) return 1;
    const float uncertainty = uncertainty_of(tables, pixels.planes, pair, pixel);
    return model::pixel::widen(model::pixel::root_weight<double>(tables.weight, uncertainty));
  }
};

/// One thread a pixel: its products from the unknowns, or the mark that the reference has to solve it.
struct NetworkSolution {
  NetworkPixels pixels;
  NormalBatch from;
  NetworkScratch scratch;
  std::int64_t first_pixel = 0;

  OUTCROP_HD void operator()(std::int64_t item, std::int64_t thread) const {
    const std::int64_t pixel = first_pixel + item;
    const NetworkColumns mine = columns_of(scratch, thread);
    const Judgement judged = pixels.judge(pixel, mine);
    if (judged.wanted && !pixels.tables.all_deficient && is_solved(from, item)) {
      take(pixel, item, mine, judged.observed);
    } else if (judged.wanted) {
      pixels.write_skipped(pixel, PixelStatus::ok, judged.observed);
      pixels.planes.status[pixel] = marked_pixel;
    }
    // There is room for any number of islands.
    if (judged.covariance) solve_covariance(pixels.tables, pixels.planes, pixel, mine, scratch.max_islands);
  }

 private:
  OUTCROP_HD void take(std::int64_t pixel, std::int64_t item, const NetworkColumns& mine,
                       const Observed& observed) const {
    const model::InversionView& tables = pixels.tables;
    const double* const unknown = from.side + item * from.size;
    double sum = 0;
    mine.x[tables.plan.position[0]] = sum;
    for (std::int32_t j = 0; j < from.size; ++j) {
      sum += unknown[j] * tables.step_yr[j];
      mine.x[tables.plan.position[j + 1]] = sum;
    }
    pixels.write_solved(pixel, mine.x, pixels.quality_of(pixel, mine.x, observed.count, false), observed.count);
    pixels.write_maps(pixel, PixelStatus::ok, 1, observed);
    if (tables.has_covariance) write_covariance(tables, pixels.planes, pixel, mine, false);
  }
};

}  // namespace outcrop::gpu
