// The step correct-topography: at each pixel the error of the elevation model that was used to make the interferograms,
// from its proportion to the perpendicular baselines, and the series without it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/design.hpp"
#include "model/step.hpp"

namespace outcrop::model {

/// Slant range as a function of the column.
struct RangeLine {
  double first_m = 0;       ///< at column 0
  double per_column_m = 0;  ///< 0: the same everywhere
};

struct CorrectTopography final : StepParameters {
  std::vector<std::string> dates;     ///< [D] as in the file
  int reference_date = 0;             ///< its baseline is subtracted from all
  std::vector<bool> excluded;         ///< [D] left out of the fit; corrected all the same
  std::vector<DesignColumn> columns;  ///< shared by all pixels, the constant first
  bool phase_velocity = false;        ///< fits differences of neighbouring dates a year, without the constant

  std::vector<double> bperp_m;           ///< [D] perpendicular baselines; empty: plane "bperp"
  std::optional<double> incidence_deg;   ///< nullopt: plane "incidence"
  std::optional<RangeLine> slant_range;  ///< nullopt: plane "slant_range"
  bool accept_geometry = false;          ///< no plausibility check of angles and ranges

  bool has_quality_mask = false;  ///< plane "quality_mask", the temporal coherence: 0 leaves the pixel out
  bool empty_by_mean = false;     ///< MintPy's test: a pixel is empty when the float32 mean of its series is 0
  bool wants_residual = true;     ///< asks for the plane "residual"

  std::int64_t num_dates() const { return static_cast<std::int64_t>(dates.size()); }
};

/// Order of the step's findings in a tally.
enum CorrectTopographyFinding {
  dependent_columns,
  no_baseline,
  infinite_value,
  zero_mean,
  num_correct_topography_findings
};

/// Plausible geometry of a radar that maps the ground: outside, the file is not what it says it is.
ValueCheck incidence_check();
ValueCheck slant_range_check();

/// Declares the planes.
///   in   "timeseries" [D] m; "bperp" [D] m; "incidence" [1] deg; "slant_range" [1] m; "quality_mask" [1]
///   out  "corrected" [D] m; "residual" [D] m, when asked for; "dem_error" [1] m, positive where the ground is higher
///        than the model; "status" [1] PixelStatus
/// Skipped pixels are 0 in all float outputs.
Step make_correct_topography(std::shared_ptr<const CorrectTopography> parameters);

}  // namespace outcrop::model
