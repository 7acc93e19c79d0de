// Planes of the step model/steps/correct_topography.hpp.
#include "tools/outcrop/correct_topography/maps.hpp"

#include <fmt/format.h>

namespace outcrop::tools {
namespace {

MapWish dem_error_map() {
  MapWish map;
  map.plane = "dem_error";
  map.file = "dem-error.png";
  map.title = "DEM error";
  map.explanation = "Positive where the ground is higher than the elevation model.";
  map.unit = "m";
  map.colouring = Colouring::diverging;
  return map;
}

RmsWish residual_rms(const TopographyInputs& in) {
  RmsWish rms{"residual", in.series.dates, {}, ""};
  if (in.coherence) rms.coherence = CoherenceFile{in.coherence->path, in.coherence->dataset};
  return rms;
}

std::vector<std::pair<std::string, std::string>> settings_of(const TopographySettings& settings,
                                                             const TopographyInputs& in) {
  std::vector<std::pair<std::string, std::string>> all{
      {"series", in.series.path},
      {"dates", std::to_string(in.series.dates.size())},
      {"geometry", in.geometry ? in.geometry->path : "one angle and range for the scene"},
      {"baselines", in.bperp_layers.empty() ? "one a date" : "of each pixel"},
      {"temporal coherence", in.coherence ? in.coherence->path : "none beside the series"}};
  const io::Attributes keys = settings_attributes(settings, in);
  all.insert(all.end(), keys.all().begin(), keys.all().end());
  std::string periods;
  for (const double period : settings.terms.periods_yr) periods += fmt::format("{} ", period);
  all.emplace_back("periods in years", periods.empty() ? "none" : periods);
  all.emplace_back("--mintpy-compat", settings.mintpy_compat ? "yes" : "no");
  return all;
}

}  // namespace

QuicklookWishes maps_of(const TopographySettings& settings, const TopographyInputs& in, const TopographyNames& names) {
  QuicklookWishes wishes;
  wishes.rows = in.series.rows;
  wishes.cols = in.series.cols;
  wishes.attributes = in.series.attributes;
  wishes.maps = {dem_error_map()};
  const std::string since = date_text(in.series.dates[static_cast<std::size_t>(in.reference_date)]);
  const auto series = series_maps("corrected", in.series.dates, in.reference_date, "corrected", "Corrected",
                                  fmt::format("Displacement since {} without the effect of the DEM error.", since));
  wishes.maps.insert(wishes.maps.end(), series.begin(), series.end());
  if (names.residual.empty()) {
    wishes.notes.push_back("No residual RMS: with --residual-file no there is no residual.");
  } else {
    wishes.rms = residual_rms(in);
  }
  wishes.settings = settings_of(settings, in);
  return wishes;
}

}  // namespace outcrop::tools
