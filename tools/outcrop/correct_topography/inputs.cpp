#include "tools/outcrop/correct_topography/inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "tools/outcrop/completion.hpp"
#include "tools/outcrop/correct_topography/excluded_dates.hpp"
#include "tools/outcrop/correct_topography/geometry.hpp"

namespace outcrop::tools {
namespace {

namespace fs = std::filesystem;
using io::mintpy::Series;

std::int64_t reference_of(const Series& series) {
  const auto text = series.attributes.get("REF_DATE");
  if (!text) return 0;
  const auto found = std::find(series.dates.begin(), series.dates.end(), trimmed(*text));
  if (found != series.dates.end()) return found - series.dates.begin();
  fail(Errc::input, fmt::format("{}: the attribute REF_DATE is {}, which is none of its dates {} to {}; correct it",
                                series.path, *text, series.dates.front(), series.dates.back()));
}

void find_excluded(TopographyInputs& in, const TopographySettings& settings, Log& log) {
  in.excluded = excluded_dates(settings.excluded, in.series.dates, in.notes, log);
  std::vector<std::string> texts;
  for (const auto& entry : settings.excluded) texts.push_back(entry.text);
  if (texts != in.excluded) in.deviations[deviation::expanded_dates] = 1;
  if (!in.excluded.empty()) {
    log.info(fmt::format("{} of {} dates are left out of the fit, and corrected all the same: {}", in.excluded.size(),
                         in.series.dates.size(), fmt::join(in.excluded, " ")));
  }
}

void check_order(const TopographyInputs& in, const TopographySettings& settings) {
  const auto kept = in.series.dates.size() - in.excluded.size();
  const int order = settings.terms.polynomial_order;
  if (static_cast<std::size_t>(order) <= kept) return;
  fail(Errc::input,
       fmt::format("a polynomial of order {} (--poly-order) cannot be fitted to {} dates: {} has {}, of which {} "
                   "are excluded; give a smaller order",
                   order, kept, in.series.path, in.series.dates.size(), in.excluded.size()));
}

/// Which side of a step its own date is on hangs on the time of day.
void warn_of_steps(const TopographyInputs& in, const TopographySettings& settings, Log& log) {
  constexpr std::size_t day = 8;
  for (const auto& step : settings.terms.steps) {
    for (const auto& date : in.series.dates) {
      if (date.substr(0, day) != step.substr(0, day)) continue;
      const bool after = model::decimal_year(date, in.time_of_day_s) > model::decimal_year(step, 0);
      log.warn(fmt::format(
          "the step {} is on the day of an acquisition, {}, which counts as {} it: the time of day is {}, as in "
          "MintPy",
          step, date, after ? "after" : "before",
          date.size() > day ? "that of the date" : fmt::format("CENTER_LINE_UTC, {} s", in.time_of_day_s)));
    }
  }
}

void use_coherence(TopographyInputs& in, const io::mintpy::MapFile& map) {
  in.notes.push_back(fmt::format("temporal coherence: pixels that are 0 in {} are left out", map.path));
  in.coherence = map;
}

void find_coherence(TopographyInputs& in) {
  const fs::path path = fs::path(in.series.path).parent_path() / "temporalCoherence.h5";
  if (!fs::exists(path)) {
    in.notes.push_back(fmt::format("temporal coherence: {} is not there, none is used", path.string()));
    return;
  }
  const auto map = io::mintpy::read_map_header(path.string(), {"temporalCoherence"});
  if (map.rows != in.series.rows || map.cols != in.series.cols) {
    fail(Errc::input,
         fmt::format("the temporal coherence {} has {} x {} pixels, {} has {} x {}; move it away or make it again",
                     map.path, map.rows, map.cols, in.series.path, in.series.rows, in.series.cols));
  }
  use_coherence(in, map);
  in.coherence_identity = file_identity(map.path);
}

/// Fills everything but the series and its coherence.
void look_at_series(TopographyInputs& in, const TopographyFlags& flags, const TopographySettings& settings, Log& log) {
  in.deviations = settings.deviations;
  in.reference_date = reference_of(in.series);
  in.time_of_day_s = in.series.attributes.number("CENTER_LINE_UTC").value_or(0);
  find_excluded(in, settings, log);
  check_order(in, settings);
  warn_of_steps(in, settings, log);
  find_geometry(in, flags, settings, log);
}

}  // namespace

std::string identity_of_run(const std::string& run_id) { return "run " + run_id; }

TopographyInputs read_inputs(const TopographyFlags& flags, const TopographySettings& settings, Log& log) {
  TopographyInputs in;
  in.series = io::mintpy::read_series(flags.series);
  in.series_identity = file_identity(in.series.path);
  look_at_series(in, flags, settings, log);
  find_coherence(in);
  return in;
}

TopographyInputs read_inputs(const MadeSeries& made, const TopographyFlags& flags, const TopographySettings& settings,
                             Log& log) {
  TopographyInputs in;
  in.series = made.series;
  in.small = made.small;
  in.series_identity = identity_of_run(made.run_id);
  look_at_series(in, flags, settings, log);
  if (!made.coherence) {
    find_coherence(in);
    return in;
  }
  use_coherence(in, *made.coherence);
  in.coherence_identity = in.series_identity;
  in.coherence_is_made = true;
  return in;
}

}  // namespace outcrop::tools
