// TopographyFit: all that the fit of the step correct-topography needs to know of dates and shared columns, made once a
// scene. The arithmetic that follows it at a pixel is in model/pixel/project.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/pixel/project.hpp"
#include "model/steps/correct_topography.hpp"

namespace outcrop::model {

struct TopographyFit;

/// The answer at a pixel when all pixels have the same baselines u [D], relative to the reference date:
///   e = (slope . series) R sin(theta) independent, or least_norm_slope(square, slope . series)
///   coefficients = data' series - column e
struct SharedBaselines {
  std::vector<double> baseline_m;  ///< [D] u
  std::vector<double> slope;       ///< [D]
  std::vector<double> column;      ///< [rank] coefficients of u
  bool zero = false;               ///< u is 0 at every row
  bool dependent = false;          ///< u is in the span of the shared columns; also when it is 0
  double square = 0;               ///< when dependent: of the unknowns that make u

  /// fit: the one they were planned for.
  pixel::SharedBaselineView view(const TopographyFit& fit) const;
};

/// Owns the arrays of a FitView.
struct TopographyFit {
  std::int32_t num_dates = 0;
  std::int32_t num_rows = 0;
  std::int32_t rank = 0;                  ///< padded to whole groups
  std::int32_t true_rank = 0;             ///< of the shared columns
  bool dependent = false;                 ///< the shared columns are: not every unknown is determined
  bool surprising = false;                ///< ... although there are rows enough and no column is 0
  std::vector<std::string> undetermined;  ///< names of the columns that take part
  std::vector<std::string> zero_columns;  ///< names of those that are 0 at every row
  std::vector<std::int32_t> row_date;
  std::vector<std::int32_t> row_minus;
  std::vector<double> row_factor;
  std::vector<double> basis;
  std::vector<double> predict;
  std::vector<double> gram;
  std::vector<double> data;  ///< [D, rank] from the series to its coefficients in the basis

  pixel::FitView view() const;
  std::int64_t num_bytes() const;
};

TopographyFit plan_topography_fit(const CorrectTopography& parameters);

/// For baselines that are the same everywhere. Expects: bperp_m of the parameters is there and finite.
SharedBaselines plan_shared_baselines(const TopographyFit& fit, const CorrectTopography& parameters);

/// [D] bperp_m relative to the reference date.
std::vector<double> relative_baselines(const CorrectTopography& parameters);

}  // namespace outcrop::model
