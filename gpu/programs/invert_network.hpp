// invert-network at one pixel, by one thread: the same bodies as on the host, element type double.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "core/status.hpp"
#include "gpu/programs/network_covariance.hpp"
#include "gpu/programs/network_observe.hpp"
#include "gpu/programs/network_tables.hpp"
#include "model/pixel/components.hpp"
#include "model/pixel/residual.hpp"
#include "model/pixel/star_mesh.hpp"

namespace outcrop::gpu {

/// In the status plane between two launches: the pixel has more islands than the first launch has room for.
inline constexpr std::uint8_t deferred_pixel = 255;

/// Islands that every thread has room for. Pixels with more are few, and need memory that grows with the square.
inline constexpr std::int32_t usual_islands = 8;

struct NetworkKernel {
  NetworkTables tables;
  NetworkPlanes planes;
  NetworkScratch scratch;
  bool deferred_only = false;  ///< solves only what an earlier launch deferred

  OUTCROP_HD void operator()(std::int64_t pixel, std::int64_t thread) const {
    if (!deferred_only || planes.status[pixel] == deferred_pixel) invert(pixel, thread);
    if (pixel == planes.reference_pixel && planes.status[pixel] != deferred_pixel) grant(pixel);
  }

 private:
  OUTCROP_HD void invert(std::int64_t pixel, std::int64_t thread) const {
    if (is_masked(pixel)) {
      write_skipped(pixel, PixelStatus::masked, {});
      return;
    }
    const NetworkColumns mine = columns_of(scratch, thread);
    const Observed observed = observe(tables, planes, pixel, mine);
    const bool empty = observed.count == 0;
    const bool poor = !empty && too_few(tables, mine, tables.untested_position);
    // The redundancy for the covariance is asked of other dates than that of the series.
    const bool covariance = tables.has_covariance && !empty && !too_few(tables, mine, tables.covariance_position);
    if (empty || poor) {
      write_skipped(pixel, empty ? PixelStatus::no_data : PixelStatus::too_few, observed);
    } else if (!solve(pixel, mine, observed)) {
      planes.status[pixel] = deferred_pixel;
      return;
    }
    if (covariance && !solve_covariance(tables, planes, pixel, mine, scratch.max_islands)) {
      planes.status[pixel] = deferred_pixel;
    }
  }

  /// Every phase of the reference pixel is 0 after referencing, so that it looks like no data: its quality is perfect
  /// by definition.
  OUTCROP_HD void grant(std::int64_t pixel) const {
    planes.status[pixel] = static_cast<std::uint8_t>(PixelStatus::ok);
    planes.quality[pixel] = tables.quality_is_residual ? 0.0F : 1.0F;
    planes.count[pixel] = tables.reference_count;
  }

  /// NaN leaves nothing out.
  OUTCROP_HD bool is_masked(std::int64_t pixel) const {
    return (planes.water_mask != nullptr && planes.water_mask[pixel] == 0.0F) ||
           (planes.quality_mask != nullptr && planes.quality_mask[pixel] == 0.0F);
  }

  /// Solves a pixel and writes its outputs. Gives: false when it has more islands than there is room for.
  OUTCROP_HD bool solve(std::int64_t pixel, const NetworkColumns& mine, const Observed& observed) const {
    const double num_islands = model::pixel::eliminate(tables.plan, mine.conductance, mine.x, mine.inverse);
    const bool cut = num_islands > 1;
    if (num_islands > scratch.max_islands) return false;
    model::pixel::back_substitute(tables.plan, mine.conductance, mine.inverse, mine.x);
    const float quality = quality_of(pixel, mine, observed.count, cut);
    if (cut) shift_islands(mine);
    const double first = mine.x[tables.series_position[0]];
    for (std::int32_t date = 0; date < tables.plan.num_dates; ++date) {
      const double metres = (mine.x[tables.series_position[date]] - first) * tables.metres_per_unit;
      planes.timeseries[date * planes.stride + pixel] = static_cast<float>(metres);
    }
    planes.quality[pixel] = quality;
    planes.count[pixel] = static_cast<float>(observed.count);
    write_maps(pixel, cut ? PixelStatus::min_norm : PixelStatus::ok, num_islands, observed);
    if (tables.has_covariance) write_covariance(tables, planes, pixel, mine, false);
    return true;
  }

  OUTCROP_HD float quality_of(std::int64_t pixel, const NetworkColumns& mine, double count, bool cut) const {
    if (!tables.quality_is_residual) return temporal_coherence(pixel, mine, count);
    // MintPy has no residual from an unweighted solve that is rank-deficient or has no more rows than unknowns.
    const bool unweighted = tables.weight.function == model::WeightFunction::none;
    if (unweighted && (cut || count < tables.plan.num_dates)) return tables.skipped_quality;
    return total_residual(pixel, mine);
  }

  OUTCROP_HD float temporal_coherence(std::int64_t pixel, const NetworkColumns& mine, double count) const {
    model::pixel::PhasorSum<double> sum;
    for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
      const std::int32_t pair = tables.pair_in_use[i];
      const PairSample sample = sample_of(tables, planes, pair, pixel);
      if (!sample.counts) continue;
      sum.add(model::pixel::residual(tables.plan, pair, static_cast<double>(sample.value), mine.x), true);
    }
    return static_cast<float>(sum.coherence(count));
  }

  /// Root of the sum of the squared residuals.
  OUTCROP_HD float total_residual(std::int64_t pixel, const NetworkColumns& mine) const {
    double sum = 0;
    for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
      const std::int32_t pair = tables.pair_in_use[i];
      const PairSample sample = sample_of(tables, planes, pair, pixel);
      if (!sample.counts) continue;
      const double e = model::pixel::residual(tables.plan, pair, static_cast<double>(sample.value), mine.x);
      sum += e * e;
    }
    return static_cast<float>(model::pixel::root(sum));
  }

  /// Minimum norm across the islands of a pixel.
  OUTCROP_HD void shift_islands(const NetworkColumns& mine) const {
    if (tables.norm == model::MinimumNorm::velocity) {
      model::pixel::shift_to_least_velocity(tables.plan, mine.conductance, mine.inverse, tables.step_yr, 0,
                                            mine.islands, mine.x);
    } else {
      model::pixel::shift_to_least_phase(tables.plan, mine.conductance, mine.inverse, tables.series_position[0], 0,
                                         mine.islands, mine.x);
    }
  }

  OUTCROP_HD void write_skipped(std::int64_t pixel, PixelStatus status, const Observed& observed) const {
    for (std::int32_t date = 0; date < tables.plan.num_dates; ++date) {
      planes.timeseries[date * planes.stride + pixel] = 0;
    }
    planes.quality[pixel] = tables.skipped_quality;
    planes.count[pixel] = 0;
    write_maps(pixel, status, 0, observed);
    if (tables.has_covariance) write_covariance(tables, planes, pixel, {}, false);
  }

  OUTCROP_HD void write_maps(std::int64_t pixel, PixelStatus status, double num_islands,
                             const Observed& observed) const {
    constexpr double most_islands = 255;
    planes.status[pixel] = static_cast<std::uint8_t>(status);
    if (planes.islands != nullptr) {
      planes.islands[pixel] = static_cast<std::uint8_t>(num_islands < most_islands ? num_islands : most_islands);
    }
    planes.findings[pixel] = static_cast<std::uint8_t>((observed.infinite ? 1U << model::infinite_sample : 0U) |
                                                       (observed.negative_label ? 1U << model::negative_label : 0U));
  }
};

}  // namespace outcrop::gpu
