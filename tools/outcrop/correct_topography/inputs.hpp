// The inputs of correct-topography, looked at and checked against each other before anything is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/log.hpp"
#include "io/mintpy/series.hpp"
#include "io/mintpy/stack.hpp"
#include "model/steps/correct_topography.hpp"
#include "tools/outcrop/correct_topography/settings.hpp"

namespace outcrop::tools {

struct TopographyInputs {
  io::mintpy::Series series;
  std::optional<io::mintpy::Geometry> geometry;
  std::int64_t reference_date = 0;
  double time_of_day_s = 0;  ///< CENTER_LINE_UTC
  std::vector<std::string> excluded;

  std::vector<std::int64_t> bperp_layers;        ///< [D] of the geometry file; empty: the series' baselines are used
  std::optional<double> incidence_deg;           ///< nullopt: the geometry file's
  std::optional<model::RangeLine> slant_range;   ///< nullopt: the geometry file's
  std::optional<io::mintpy::MapFile> coherence;  ///< temporalCoherence.h5 beside the series

  std::vector<std::string> notes;  ///< implicit inputs used or not found
  DeviationCounts deviations;      ///< those known before the run
};

/// Throws Errc::input or Errc::usage with one sentence when something is missing or contradicts something else.
TopographyInputs read_inputs(const TopographyFlags& flags, const TopographySettings& settings, Log& log);

}  // namespace outcrop::tools
