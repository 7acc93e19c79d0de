// Where incidence angles, slant ranges and baselines come from: the geometry file, or attributes of the series.
#pragma once

#include "core/log.hpp"
#include "tools/outcrop/correct_topography/inputs.hpp"

namespace outcrop::tools {

/// Fills the geometry of `in`, whose series is read. Throws Errc::input naming what is missing, implausible or of
/// another size.
void find_geometry(TopographyInputs& in, const TopographyFlags& flags, const TopographySettings& settings, Log& log);

}  // namespace outcrop::tools
