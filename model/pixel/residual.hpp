// What the series leaves unexplained: residuals of the pairs and their temporal coherence.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "model/elimination.hpp"
#include "model/pixel/lane.hpp"

namespace outcrop::model::pixel {

/// phase [rad] observed; x [D] rad by position. Gives: phase - (x(second) - x(first)). Offsets of islands cancel in it.
template <class Lane, class Column>
OUTCROP_HD Lane residual(const EliminationView& plan, std::int32_t pair, const Lane& phase, Column x) {
  return phase - (x[plan.pair_second[pair]] - x[plan.pair_first[pair]]);
}

/// The sum of exp(j e) over the observations of a pixel.
template <class Lane>
struct PhasorSum {
  Lane real{0.0};
  Lane imaginary{0.0};

  /// residual [rad]; observed: mask of the pixels that have this pair.
  template <class Mask>
  OUTCROP_HD void add(const Lane& residual, const Mask& observed) {
    add_phasor(residual, select(observed, Lane(1.0), Lane(0.0)), real, imaginary);
  }

  /// |sum| / count; 0 without observations.
  OUTCROP_HD Lane coherence(const Lane& count) const {
    const auto some = count > Lane(0.0);
    return select(some, root(real * real + imaginary * imaginary) / select(some, count, Lane(1.0)), Lane(0.0));
  }
};

}  // namespace outcrop::model::pixel
