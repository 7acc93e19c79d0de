// Where a picture lies on the ground, as far as the attributes of a product tell: sizes of pixels, reference pixel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "io/h5/attributes.hpp"

namespace outcrop::tools {

struct Ground {
  std::optional<double> row_m;                                     ///< from one row to the next
  std::optional<double> col_m;                                     ///< from one column to the next
  std::string row_direction;                                       ///< "azimuth" or "north-south"
  std::string col_direction;                                       ///< "slant range" or "east-west"
  std::optional<std::pair<std::int64_t, std::int64_t>> reference;  ///< row, column; inside the image
};

/// Attributes that are absent or make no sense leave their part empty: a map can be drawn without.
Ground ground_of(const io::Attributes& attributes, std::int64_t rows, std::int64_t cols);

/// Sizes of a pixel in words; empty when none is known.
std::string pixel_size_text(const Ground& ground);

/// A handy length for a bar of at most `most_cols` columns: columns, and what to write beside it.
struct ScaleBar {
  double cols = 0;
  std::string label;
};
ScaleBar scale_bar(const Ground& ground, double most_cols);

}  // namespace outcrop::tools
