// Drawing a map: title, pixels in colours, colour bar with its unit, scale bar, reference point, no data.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/outcrop/quicklook/canvas.hpp"
#include "tools/outcrop/quicklook/ground.hpp"
#include "tools/outcrop/quicklook/map_grid.hpp"

namespace outcrop::tools {

struct MapDrawing {
  const MapGrid& grid;
  std::span<const float> values;     ///< [rows, cols] of the grid
  const std::vector<bool>& no_data;  ///< [rows, cols] of the grid; NaN is no data in any case
  ColourScale scale;
  std::string title;
  const Ground& ground;
};

Canvas draw_map(const MapDrawing& drawing);

/// Dots of the picture that draw_map() makes at most, for the plan.
std::int64_t largest_picture(const MapGrid& grid);

}  // namespace outcrop::tools
