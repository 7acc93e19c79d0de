#include "tools/outcrop/correct_topography/geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "model/geometry.hpp"

namespace outcrop::tools {
namespace {

/// An attribute of the series, else of the geometry file.
std::optional<double> attribute(const TopographyInputs& in, const char* name) {
  const auto value = in.series.attributes.number(name);
  return value || !in.geometry ? value : in.geometry->attributes.number(name);
}

model::SceneGeometry scene_of(const TopographyInputs& in) {
  model::SceneGeometry scene;
  scene.starting_range_m = attribute(in, "STARTING_RANGE");
  scene.range_pixel_size_m = attribute(in, "RANGE_PIXEL_SIZE");
  scene.center_incidence_deg = attribute(in, "CENTER_INCIDENCE_ANGLE");
  scene.earth_radius_m = attribute(in, "EARTH_RADIUS");
  scene.height_m = attribute(in, "HEIGHT");
  scene.num_cols = in.series.cols;
  return scene;
}

void check_plausible(double value, const model::ValueCheck& check, const char* what, const TopographySettings& settings,
                     const TopographyInputs& in) {
  if (settings.accept_geometry || (value >= check.lowest && value <= check.highest)) return;
  fail(Errc::input, fmt::format("the attributes of {} give the {} {}; it should lie within {} and {}: {}",
                                in.series.path, what, value, check.lowest, check.highest, check.advice));
}

/// In radar geometry the range grows with the column; on a map it does not follow rows or columns.
void range_from_attributes(TopographyInputs& in, const TopographySettings& settings, Log& log) {
  const model::SceneGeometry scene = scene_of(in);
  const auto middle_m = model::slant_range_m(scene);
  if (!middle_m) {
    fail(Errc::input,
         fmt::format("{} has incidenceAngle but no dataset slantRangeDistance, and {} has not both attributes "
                     "STARTING_RANGE and RANGE_PIXEL_SIZE; add one or the other",
                     in.geometry->path, in.series.path));
  }
  const bool on_map = in.series.attributes.get("Y_FIRST").has_value();
  in.slant_range =
      on_map ? model::RangeLine{*middle_m, 0} : model::RangeLine{*scene.starting_range_m, *scene.range_pixel_size_m};
  const double last_m =
      in.slant_range->first_m + in.slant_range->per_column_m * static_cast<double>(in.series.cols - 1);
  check_plausible(in.slant_range->first_m, model::slant_range_check(), "slant range", settings, in);
  check_plausible(last_m, model::slant_range_check(), "slant range", settings, in);
  in.deviations[deviation::range_of_attributes] = 1;
  log.info(fmt::format("{} has no slantRangeDistance: the range is that of the attributes, {}", in.geometry->path,
                       on_map ? fmt::format("{} m everywhere", *middle_m)
                              : fmt::format("{} to {} m from column to column", in.slant_range->first_m, last_m)));
}

void scene_geometry(TopographyInputs& in, const TopographySettings& settings, Log& log) {
  const model::SceneGeometry scene = scene_of(in);
  const auto range_m = model::slant_range_m(scene);
  in.incidence_deg = model::incidence_deg(scene);
  if (!range_m || !in.incidence_deg) {
    const std::string lacking = in.geometry ? fmt::format("{} has no dataset incidenceAngle", in.geometry->path)
                                            : std::string("no geometry file is given (-g)");
    fail(Errc::input,
         fmt::format(
             "{}, and {} has not the attributes that would stand for it: STARTING_RANGE and RANGE_PIXEL_SIZE, and "
             "CENTER_INCIDENCE_ANGLE or HEIGHT (with EARTH_RADIUS); add one or the other",
             lacking, in.series.path));
  }
  in.slant_range = model::RangeLine{*range_m, 0};
  check_plausible(*in.incidence_deg, model::incidence_check(), "incidence angle", settings, in);
  check_plausible(*range_m, model::slant_range_check(), "slant range", settings, in);
  log.info(fmt::format("geometry: one incidence angle, {:.4f} deg, and one slant range, {:.0f} m, for the whole scene",
                       *in.incidence_deg, *range_m));
}

void check_size(const TopographyInputs& in, const std::string& dataset) {
  const auto shape = in.geometry->shape_of(dataset);
  const auto rank = shape.size();
  const bool fits = rank >= 2 && shape[rank - 2] == in.series.rows && shape[rank - 1] == in.series.cols;
  if (fits && rank == (dataset == "bperp" ? 3U : 2U)) return;
  const std::string found =
      rank < 2 ? std::string("no image") : fmt::format("{} x {} pixels", shape[rank - 2], shape[rank - 1]);
  fail(Errc::input, fmt::format("{} in {} has {}, {} has {} x {}; they have to be of the same scene", dataset,
                                in.geometry->path, found, in.series.path, in.series.rows, in.series.cols));
}

/// The layer of the geometry file's bperp for each date of the series.
void match_baselines(TopographyInputs& in, const TopographySettings& settings, Log& log) {
  const auto& have = in.geometry->bperp_dates;
  check_size(in, "bperp");
  for (const auto& date : in.series.dates) {
    const auto found = std::find(have.begin(), have.end(), date);
    if (found == have.end()) {
      fail(Errc::input,
           fmt::format("bperp in {} has no layer for the date {} of {}; make the geometry file again, or leave "
                       "bperp out of it, then the baselines of the series are used",
                       in.geometry->path, date, in.series.path));
    }
    in.bperp_layers.push_back(found - have.begin());
  }
  if (std::is_sorted(in.bperp_layers.begin(), in.bperp_layers.end())) return;
  if (settings.mintpy_compat) {
    std::sort(in.bperp_layers.begin(), in.bperp_layers.end());
    log.warn(fmt::format(
        "the dates of bperp in {} have another order than those of the series and are taken in their own, as "
        "in MintPy",
        in.geometry->path));
    return;
  }
  in.deviations[deviation::baseline_order] = 1;
  log.info(fmt::format("the dates of bperp in {} have another order than those of the series: they are matched by date",
                       in.geometry->path));
}

void check_series_baselines(const TopographyInputs& in) {
  const auto& series = in.series;
  if (series.bperp_m.empty()) {
    fail(Errc::input,
         fmt::format("{} has no dataset bperp, the perpendicular baselines of its dates, and no geometry file "
                     "gives them for each pixel; add one or the other",
                     series.path));
  }
  for (std::size_t d = 0; d < series.dates.size(); ++d) {
    if (std::isfinite(series.bperp_m[d])) continue;
    fail(Errc::input, fmt::format("{}: bperp of the date {} is {}; give it a number", series.path, series.dates[d],
                                  series.bperp_m[d]));
  }
}

/// smallbaselineApp gives the file that the template asks for; a user has to.
void warn_without_file(const TopographyInputs& in, Log& log) {
  const bool on_map = in.series.attributes.get("Y_FIRST").has_value();
  const std::string likely = on_map ? "inputs/geometryGeo.h5" : "inputs/geometryRadar.h5";
  log.warn(fmt::format(
      "the template says pixelwiseGeometry, but no geometry file is given: one angle and one range stand for "
      "the whole scene, as in MintPy; for those of each pixel add -g {}",
      likely));
}

}  // namespace

void find_geometry(TopographyInputs& in, const TopographyFlags& flags, const TopographySettings& settings, Log& log) {
  if (flags.geometry) {
    in.geometry = io::mintpy::read_geometry(*flags.geometry);
  } else if (settings.wants_pixelwise_geometry) {
    warn_without_file(in, log);
  }
  if (in.geometry && !in.geometry->shape_of("incidenceAngle").empty()) {
    check_size(in, "incidenceAngle");
    if (in.geometry->shape_of("slantRangeDistance").empty()) {
      range_from_attributes(in, settings, log);
    } else {
      check_size(in, "slantRangeDistance");
    }
  } else {
    scene_geometry(in, settings, log);
  }
  if (in.geometry && !in.geometry->bperp_dates.empty()) {
    match_baselines(in, settings, log);
  } else {
    check_series_baselines(in);
  }
}

}  // namespace outcrop::tools
