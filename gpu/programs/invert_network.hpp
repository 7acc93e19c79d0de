// invert-network at one pixel, by one thread: the same bodies as on the host, element type double.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "gpu/programs/network_pixels.hpp"
#include "model/pixel/components.hpp"
#include "model/pixel/star_mesh.hpp"

namespace outcrop::gpu {

/// In the status plane between two launches: the pixel has more islands than the first launch has room for.
inline constexpr std::uint8_t deferred_pixel = 255;

/// Islands that every thread has room for. Pixels with more are few, and need memory that grows with the square.
inline constexpr std::int32_t usual_islands = 8;

struct NetworkKernel {
  NetworkPixels pixels;
  NetworkScratch scratch;
  bool deferred_only = false;  ///< solves only what an earlier launch deferred

  OUTCROP_HD void operator()(std::int64_t pixel, std::int64_t thread) const {
    std::uint8_t& status = pixels.planes.status[pixel];
    if (!deferred_only || status == deferred_pixel) invert(pixel, thread);
    if (pixel == pixels.planes.reference_pixel && status != deferred_pixel) pixels.grant(pixel);
  }

 private:
  OUTCROP_HD void invert(std::int64_t pixel, std::int64_t thread) const {
    const NetworkColumns mine = columns_of(scratch, thread);
    const Judgement judged = pixels.judge(pixel, mine);
    bool solved = !judged.wanted || solve(pixel, mine, judged.observed);
    if (solved && judged.covariance) {
      solved = solve_covariance(pixels.tables, pixels.planes, pixel, mine, scratch.max_islands);
    }
    if (!solved) pixels.planes.status[pixel] = deferred_pixel;
  }

  /// Solves a pixel and writes its outputs. Gives: false when it has more islands than there is room for.
  OUTCROP_HD bool solve(std::int64_t pixel, const NetworkColumns& mine, const Observed& observed) const {
    const model::InversionView& tables = pixels.tables;
    const double num_islands = model::pixel::eliminate(tables.plan, mine.conductance, mine.x, mine.inverse);
    const bool cut = num_islands > 1;
    if (num_islands > scratch.max_islands) return false;
    model::pixel::back_substitute(tables.plan, mine.conductance, mine.inverse, mine.x);
    const float quality = pixels.quality_of(pixel, mine.x, observed.count, cut);
    if (cut) shift_islands(mine);
    pixels.write_solved(pixel, mine.x, quality, observed.count);
    pixels.write_maps(pixel, cut ? PixelStatus::min_norm : PixelStatus::ok, num_islands, observed);
    if (tables.has_covariance) write_covariance(tables, pixels.planes, pixel, mine, false);
    return true;
  }

  /// Minimum norm across the islands of a pixel.
  OUTCROP_HD void shift_islands(const NetworkColumns& mine) const {
    const model::InversionView& tables = pixels.tables;
    if (tables.norm == model::MinimumNorm::velocity) {
      model::pixel::shift_to_least_velocity(tables.plan, mine.conductance, mine.inverse, tables.step_yr, 0,
                                            mine.islands, mine.x);
    } else {
      model::pixel::shift_to_least_phase(tables.plan, mine.conductance, mine.inverse, tables.series_position[0], 0,
                                         mine.islands, mine.x);
    }
  }
};

}  // namespace outcrop::gpu
