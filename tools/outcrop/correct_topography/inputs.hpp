// The inputs of correct-topography, looked at and checked against each other before anything is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/log.hpp"
#include "io/mintpy/series.hpp"
#include "io/mintpy/stack.hpp"
#include "io/output_file.hpp"
#include "model/steps/correct_topography.hpp"
#include "tools/outcrop/correct_topography/settings.hpp"

namespace outcrop::tools {

/// A series that an earlier step makes in the same run: what its file will hold, but for the pixels.
struct MadeSeries {
  io::mintpy::Series series;            ///< its `other` is empty: there is no file to carry datasets over from
  std::vector<io::SmallDataset> small;  ///< dates and baselines, as they will be in the file
  std::string run_id;
  std::optional<io::mintpy::MapFile> coherence;  ///< made too, as temporalCoherence.h5 beside the series
};

struct TopographyInputs {
  io::mintpy::Series series;
  std::string series_identity;          ///< for the completion mark: of the file, or of the run that makes it
  std::vector<io::SmallDataset> small;  ///< of a series that is made in the same run: for the corrected one, too
  std::optional<io::mintpy::Geometry> geometry;
  std::int64_t reference_date = 0;
  double time_of_day_s = 0;  ///< CENTER_LINE_UTC
  std::vector<std::string> excluded;

  std::vector<std::int64_t> bperp_layers;        ///< [D] of the geometry file; empty: the series' baselines are used
  std::optional<double> incidence_deg;           ///< nullopt: the geometry file's
  std::optional<model::RangeLine> slant_range;   ///< nullopt: the geometry file's
  std::optional<io::mintpy::MapFile> coherence;  ///< temporalCoherence.h5 beside the series
  std::string coherence_identity = "none";       ///< as that of the series
  bool coherence_is_made = false;                ///< in the same run

  std::vector<std::string> notes;  ///< implicit inputs used or not found
  DeviationCounts deviations;      ///< those known before the run
};

/// Throws Errc::input or Errc::usage with one sentence when something is missing or contradicts something else.
TopographyInputs read_inputs(const TopographyFlags& flags, const TopographySettings& settings, Log& log);

/// The same for a series that is made in the same run.
TopographyInputs read_inputs(const MadeSeries& made, const TopographyFlags& flags, const TopographySettings& settings,
                             Log& log);

/// What the completion mark says of a file that is made in the run with this id.
std::string identity_of_run(const std::string& run_id);

}  // namespace outcrop::tools
