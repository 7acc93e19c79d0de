#include "tools/outcrop/correct_topography/deviations.hpp"

#include <array>

namespace outcrop::tools {

std::span<const Deviation> correct_topography_deviations() {
  static constexpr std::array<Deviation, 8> table{{
      {deviation::dependent_columns, "pixels",
       "Where the geometry is of each pixel, float32 cannot tell that columns depend on each other: the answer is "
       "noise, of "
       "tens of metres.",
       "The answer of least norm, in double precision."},
      {deviation::infinite_value, "pixels", "The run stops.", "The pixel has no data."},
      {deviation::zero_mean, "pixels", "The pixel is left out.",
       "A pixel is left out only when its series is 0 at every date.", true},
      {deviation::baseline_order, "1", "Baselines of each pixel are paired with the dates by their order.",
       "They are paired by their dates.", true},
      {deviation::range_of_attributes, "1",
       "The run stops when the geometry file has incidenceAngle but no slantRangeDistance.",
       "The range is that of the attributes, in radar geometry of each column."},
      {deviation::expanded_dates, "1",
       "The attribute excludeDate holds the names of files, and dates that the series has not.",
       "It holds the sorted dates, as MintPy's update rule wants them."},
      {deviation::flags_win, "1", "The template wins over the command line.",
       "The command line wins over the template.", true},
      {deviation::blanks, "lists", "A blank after the comma is an error.", "Blanks are dropped."},
  }};
  return table;
}

}  // namespace outcrop::tools
