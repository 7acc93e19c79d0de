// What invert-network finds and writes at a pixel, whichever way it is solved.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "core/status.hpp"
#include "gpu/programs/network_covariance.hpp"
#include "gpu/programs/network_memory.hpp"
#include "gpu/programs/network_observe.hpp"
#include "model/pixel/residual.hpp"

namespace outcrop::gpu {

/// What a pixel is like, before it is solved.
struct Judgement {
  Observed observed;
  bool wanted = false;      ///< its series is solved for
  bool covariance = false;  ///< so is its covariance, whose redundancy is asked of other dates
};

struct NetworkPixels {
  using Column = model::pixel::Strided<double>;

  model::InversionView tables;
  NetworkPlanes planes;

  /// Forms the normal equations of a pixel and judges it; writes the outputs of one that is not wanted.
  OUTCROP_HD Judgement judge(std::int64_t pixel, const NetworkColumns& mine) const {
    Judgement judged;
    if (is_masked(pixel)) {
      write_skipped(pixel, PixelStatus::masked, {});
      return judged;
    }
    judged.observed = observe(tables, planes, pixel, mine);
    const bool empty = judged.observed.count == 0;
    const bool poor = !empty && too_few(tables, mine, tables.untested_position);
    judged.wanted = !empty && !poor;
    judged.covariance = tables.has_covariance && !empty && !too_few(tables, mine, tables.covariance_position);
    if (!judged.wanted) write_skipped(pixel, empty ? PixelStatus::no_data : PixelStatus::too_few, judged.observed);
    return judged;
  }

  /// x: the series by position, before islands are shifted.
  OUTCROP_HD float quality_of(std::int64_t pixel, const Column& x, double count, bool cut) const {
    if (!tables.quality_is_residual) return temporal_coherence(pixel, x, count);
    // MintPy has no residual from an unweighted solve that is rank-deficient or has no more rows than unknowns.
    const bool unweighted = tables.weight.function == model::WeightFunction::none;
    if (unweighted && (cut || count < tables.plan.num_dates)) return tables.skipped_quality;
    return total_residual(pixel, x);
  }

  /// The series at [D] positions, count and quality of a pixel that is solved.
  OUTCROP_HD void write_solved(std::int64_t pixel, const Column& x, float quality, double count) const {
    const double first = x[tables.series_position[0]];
    for (std::int32_t date = 0; date < tables.plan.num_dates; ++date) {
      const double metres = (x[tables.series_position[date]] - first) * tables.metres_per_unit;
      planes.timeseries[date * planes.stride + pixel] = static_cast<float>(metres);
    }
    planes.quality[pixel] = quality;
    planes.count[pixel] = static_cast<float>(count);
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

  /// Every phase of the reference pixel is 0 after referencing, so that it looks like no data: its quality is perfect
  /// by definition.
  OUTCROP_HD void grant(std::int64_t pixel) const {
    planes.status[pixel] = static_cast<std::uint8_t>(PixelStatus::ok);
    planes.quality[pixel] = tables.quality_is_residual ? 0.0F : 1.0F;
    planes.count[pixel] = tables.reference_count;
  }

 private:
  /// NaN leaves nothing out.
  OUTCROP_HD bool is_masked(std::int64_t pixel) const {
    return (planes.water_mask != nullptr && planes.water_mask[pixel] == 0.0F) ||
           (planes.quality_mask != nullptr && planes.quality_mask[pixel] == 0.0F);
  }

  OUTCROP_HD float temporal_coherence(std::int64_t pixel, const Column& x, double count) const {
    model::pixel::PhasorSum<double> sum;
    for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
      const std::int32_t pair = tables.pair_in_use[i];
      const PairSample sample = sample_of(tables, planes, pair, pixel);
      if (!sample.counts) continue;
      sum.add(model::pixel::residual(tables.plan, pair, static_cast<double>(sample.value), x), true);
    }
    return static_cast<float>(sum.coherence(count));
  }

  /// Root of the sum of the squared residuals.
  OUTCROP_HD float total_residual(std::int64_t pixel, const Column& x) const {
    double sum = 0;
    for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
      const std::int32_t pair = tables.pair_in_use[i];
      const PairSample sample = sample_of(tables, planes, pair, pixel);
      if (!sample.counts) continue;
      const double e = model::pixel::residual(tables.plan, pair, static_cast<double>(sample.value), x);
      sum += e * e;
    }
    return static_cast<float>(model::pixel::root(sum));
  }
};

}  // namespace outcrop::gpu
