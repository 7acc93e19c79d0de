// The fields of a simulated scene, without noise: displacement, atmosphere, DEM error, geometry and coherence.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tile.hpp"
#include "tools/outcrop/simulate/scene.hpp"

namespace outcrop::tools {

/// One tile of the fields; pixel index fastest, P = rect.pixels().
struct FieldTile {
  std::vector<float> velocity;      ///< [P] m/yr, towards the satellite
  std::vector<float> dem_error;     ///< [P] m: true height minus the DEM's
  std::vector<float> height;        ///< [P] m
  std::vector<float> incidence;     ///< [P] degrees
  std::vector<float> slant_range;   ///< [P] m
  std::vector<float> coherence;     ///< [P] of a pair without temporal decorrelation
  std::vector<float> displacement;  ///< [D, P] m since the first date
  std::vector<float> series;        ///< [D, P] m: displacement, atmosphere and DEM error, 0 at the first date
  std::vector<float> bperp;         ///< [D, P] m; empty unless the baseline differs between pixels
};

/// Fills the tile. The same values for a pixel whatever the rectangle it is asked with.
void evaluate_fields(const Scene& scene, const TileRect& rect, FieldTile& tile);

}  // namespace outcrop::tools
