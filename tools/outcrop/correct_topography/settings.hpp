// What correct-topography was asked to do: flags over template over MintPy's defaults.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/mintpy/template.hpp"
#include "model/design.hpp"
#include "tools/outcrop/correct_topography/deviations.hpp"

namespace outcrop::tools {

/// As given on the command line; nothing: not given.
struct TopographyFlags {
  std::string series;
  std::optional<std::string> geometry;
  std::optional<std::string> corrected;
  std::optional<std::string> dem_error;
  std::optional<std::string> residual;  ///< "no": none
  std::vector<std::string> excluded;
  std::optional<int> polynomial_order;
  std::vector<std::string> steps;
  std::vector<double> periods_yr;
  bool phase_velocity = false;
  bool accept_geometry = false;
  bool mintpy_compat = false;
};

/// An entry of the list of dates to leave out: a date, or a file of dates.
struct ExcludedEntry {
  std::string text;
  bool required = true;      ///< a file that is not there is refused; not MintPy's automatic name
  bool short_dates = false;  ///< YYMMDD is a date too
};

struct TopographySettings {
  model::DesignTerms terms;
  bool phase_velocity = false;
  std::vector<ExcludedEntry> excluded;
  /// What the template calls the steps: stepDate, before MintPy 1.6 stepFuncDate. MintPy's update check asks for the
  /// attribute of that name.
  std::vector<std::string> step_keys{"stepDate"};
  bool wants_pixelwise_geometry = false;  ///< the template says so
  bool accept_geometry = false;
  bool mintpy_compat = false;  ///< MintPy's answer wherever MintPy finishes
  DeviationCounts deviations;
};

/// Throws Errc::usage naming the flag or the template key, its value and what it can be.
TopographySettings resolve_settings(const TopographyFlags& flags, const std::optional<io::mintpy::Template>& given);

/// Whether an entry of the list names a file: it ends in .txt, .cfg or .dat.
bool names_file(const std::string& entry);

/// YYYYMMDD of YYMMDD; other texts as they are.
std::string with_century(const std::string& text);

/// The text without blanks around it.
std::string trimmed(const std::string& text);

}  // namespace outcrop::tools
