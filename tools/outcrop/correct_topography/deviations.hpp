// Where correct-topography gives another answer than MintPy: one table for the counts of the report and for the
// documentation.
#pragma once

#include <span>

#include "tools/outcrop/invert_network/deviations.hpp"

namespace outcrop::tools {

/// Names under which deviations are counted. They are stable: users and tests look for them.
namespace deviation {
inline constexpr const char* dependent_columns = "dependent columns";
inline constexpr const char* infinite_value = "infinity in the series, or no number in the baselines";
inline constexpr const char* zero_mean = "a series whose mean is 0";
inline constexpr const char* baseline_order = "order of the baselines' dates";
inline constexpr const char* range_of_attributes = "slant range from attributes";
inline constexpr const char* expanded_dates = "excludeDate is expanded";
inline constexpr const char* blanks = "blanks in lists of dates";
}  // namespace deviation

/// All that can fire.
std::span<const Deviation> correct_topography_deviations();

}  // namespace outcrop::tools
