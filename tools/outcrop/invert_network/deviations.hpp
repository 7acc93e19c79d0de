// Where invert-network gives another answer than MintPy: one table for the counts of the report and for the
// documentation.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace outcrop::tools {

/// Names under which deviations are counted. They are stable: users and tests look for them.
namespace deviation {
inline constexpr const char* shared_later_date = "all pairs share a later date";
inline constexpr const char* no_reference_data = "pairs without data at the reference pixel";
inline constexpr const char* infinite_phase = "infinity in the phase";
inline constexpr const char* infinite_offset = "infinity in the offset";
inline constexpr const char* self_pairs = "pairs of a date with itself";
inline constexpr const char* single_pair = "a single pair";
inline constexpr const char* whole_image_median = "OffsetStd median over the whole image";
inline constexpr const char* squared_offset_factor = "covariance of offsets in square metres";
inline constexpr const char* geocoded_azimuth = "azimuth offsets of a geocoded stack";
inline constexpr const char* flags_win = "flags win over the template";
}  // namespace deviation

struct Deviation {
  const char* name;
  const char* counts;     ///< what the number beside the name counts
  const char* mintpy;     ///< what MintPy does
  const char* here;       ///< what is done instead
  bool restored = false;  ///< --mintpy-compat gives MintPy's answer
};

/// All that can fire.
std::span<const Deviation> invert_network_deviations();

/// Deviations of a run with their counts; those that did not fire are absent.
using DeviationCounts = std::map<std::string, std::int64_t>;

}  // namespace outcrop::tools
