// Ranges of colour scales and the numbers written beside them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/outcrop/quicklook/colours.hpp"

namespace outcrop::tools {

/// The value below which `share` (0..1) of the values are: one of them. 0 when there is none. Reorders them.
double percentile(std::vector<float>& values, double share);

/// Multiples of 1, 2 or 5 times a power of ten within [lowest, highest], about `count` of them, or fewer when they
/// would be closer than `least_step`.
std::vector<double> ticks(double lowest, double highest, int count, double least_step = 0);

/// The largest 1, 2 or 5 times a power of ten that is not above the limit (> 0).
double round_below(double limit);

/// Digits after the point that a label needs to show steps of this size.
int decimals_for(double step);

/// A scale for lengths from `lowest_m` to `highest_m`, in m, cm or mm, whichever gives handy numbers.
ColourScale length_scale(Colouring colouring, double lowest_m, double highest_m);

}  // namespace outcrop::tools
