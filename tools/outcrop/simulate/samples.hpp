// The observations of a simulated scene, relative to its reference pixel: phase, coherence and component of each pair,
// with noise and holes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tile.hpp"
#include "tools/outcrop/simulate/fields.hpp"
#include "tools/outcrop/simulate/scene.hpp"

namespace outcrop::tools {

/// One tile of the observations; pixel index fastest.
struct SampleTile {
  std::vector<std::uint8_t> kind;       ///< [P] PixelKind
  std::vector<std::uint8_t> land;       ///< [P] 0 in water
  std::vector<float> series;            ///< [D, P] m: the true series relative to the reference pixel
  std::vector<float> phase;             ///< [M, P] rad; NaN or 0 where nothing was observed
  std::vector<float> coherence;         ///< [M, P]
  std::vector<std::uint8_t> component;  ///< [M, P] 1, or 0 where unwrapping is not to be trusted
};

/// Samples of the fields of the same rectangle.
void evaluate_samples(const Scene& scene, const TileRect& rect, const FieldTile& fields, SampleTile& tile);

}  // namespace outcrop::tools
