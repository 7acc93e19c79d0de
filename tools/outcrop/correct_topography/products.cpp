#include "tools/outcrop/correct_topography/products.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "io/python_text.hpp"
#include "tools/outcrop/completion.hpp"
#include "tools/outcrop/version.hpp"

namespace outcrop::tools {
namespace {

namespace fs = std::filesystem;
using io::Attributes;

void check_name(const std::string& path, const TopographyInputs& in) {
  const std::string ending = fs::path(path).extension();
  if (ending != ".h5" && ending != ".he5") {
    fail(Errc::usage, fmt::format("the product {} has a name that does not end in .h5 or .he5; give it one", path));
  }
  std::vector<std::string> inputs{in.series.path};
  if (in.geometry) inputs.push_back(in.geometry->path);
  if (in.coherence) inputs.push_back(in.coherence->path);
  for (const auto& input : inputs) {
    std::error_code none;
    if (fs::exists(path, none) && fs::equivalent(path, input, none)) {
      fail(Errc::input, fmt::format("the product {} would replace the input {}; give it another name", path, input));
    }
  }
}

nlohmann::ordered_json input_mark(const TopographyInputs& in) {
  nlohmann::ordered_json mark;
  mark["series"] = in.series_identity;
  mark["shape"] = {in.series.dates.size(), in.series.rows, in.series.cols};
  mark["dates"] = hash_of(fmt::format("{}", fmt::join(in.series.dates, " ")));
  mark["bperp"] = hash_of(fmt::format("{}", fmt::join(in.series.bperp_m, " ")));
  for (const char* name : {"REF_DATE", "CENTER_LINE_UTC", "STARTING_RANGE", "RANGE_PIXEL_SIZE",
                           "CENTER_INCIDENCE_ANGLE", "EARTH_RADIUS", "HEIGHT"}) {
    if (const auto value = in.series.attributes.get(name)) mark[name] = *value;
  }
  mark["geometry"] = in.geometry ? file_identity(in.geometry->path) : "none";
  mark["temporal coherence"] = in.coherence_identity;
  return mark;
}

Attributes common_attributes(const TopographySettings& settings, const TopographyInputs& in) {
  Attributes a = in.series.attributes;
  a.set("START_DATE", in.series.dates.front());
  a.set("END_DATE", in.series.dates.back());
  a.set("UNIT", "m");
  const Attributes keys = settings_attributes(settings, in);
  for (const auto& [name, value] : keys.all()) a.set(name, value);
  const std::string mark = completion_mark(settings, in);
  a.set("outcrop.complete", mark);
  a.set("outcrop.run_id", hash_of(mark + version));
  return a;
}

/// Everything that the series file holds, with another series in it. Other images are there, but empty, as in MintPy.
io::OutputFile series_file(const std::string& path, const std::string& plane, Attributes a,
                           const TopographyInputs& in) {
  a.set("FILE_TYPE", "timeseries");
  io::OutputFile file{path, a, in.small, {}};
  for (const auto& other : in.series.other) file.carried.push_back({in.series.path, other.name, !other.is_image});
  const auto num_dates = static_cast<std::int64_t>(in.series.dates.size());
  file.tiled.push_back({"timeseries", plane, num_dates, false, DType::f32, {}});
  return file;
}

}  // namespace

std::vector<std::string> TopographyNames::all() const {
  std::vector<std::string> names{corrected};
  if (!residual.empty()) names.push_back(residual);
  names.push_back(dem_error);
  return names;
}

TopographyNames product_names(const TopographyFlags& flags, const TopographyInputs& in, const std::string& out_dir) {
  const fs::path series(in.series.path);
  const fs::path beside = out_dir.empty() ? series.parent_path() : fs::path(out_dir);
  TopographyNames names;
  names.corrected = flags.corrected.value_or((beside / (series.stem().string() + "_demErr.h5")).string());
  const fs::path for_residual = out_dir.empty() ? fs::path(names.corrected).parent_path() : fs::path(out_dir);
  names.residual = flags.residual.value_or((for_residual / "timeseriesResidual.h5").string());
  if (names.residual == "no") names.residual.clear();
  names.dem_error = flags.dem_error.value_or((fs::path(out_dir) / "demErr.h5").string());
  std::set<fs::path> different;
  for (const auto& name : names.all()) {
    check_name(name, in);
    if (!different.insert(fs::absolute(name).lexically_normal()).second) {
      fail(Errc::usage, fmt::format("two products are named {}; give them different names", name));
    }
  }
  return names;
}

Attributes settings_attributes(const TopographySettings& settings, const TopographyInputs& in) {
  Attributes a;
  const auto set = [&](const char* key, const std::string& value) {
    a.set(fmt::format("mintpy.topographicResidual.{}", key), value);
  };
  set("polyOrder", std::to_string(settings.terms.polynomial_order));
  set("phaseVelocity", io::python_bool(settings.phase_velocity));
  for (const auto& key : settings.step_keys) set(key.c_str(), io::python_list(settings.terms.steps));
  set("excludeDate", io::python_list(in.excluded));
  return a;
}

std::string completion_mark(const TopographySettings& settings, const TopographyInputs& in) {
  nlohmann::ordered_json mark;
  mark["step"] = "correct-topography";
  mark["input"] = input_mark(in);
  const Attributes keys = settings_attributes(settings, in);
  for (const auto& [name, value] : keys.all()) mark["settings"][name] = value;
  mark["settings"]["periodic"] = settings.terms.periods_yr;
  mark["settings"]["mintpy-compat"] = settings.mintpy_compat;
  return mark.dump();
}

std::vector<io::OutputFile> products(const TopographyNames& names, const TopographySettings& settings,
                                     const TopographyInputs& in) {
  const Attributes common = common_attributes(settings, in);
  Attributes dem = common;
  dem.set("FILE_TYPE", "dem");
  std::vector<io::OutputFile> files{{names.dem_error, dem, {}, {{"dem", "dem_error", 1, true, DType::f32, {}}}}};
  if (!names.residual.empty()) files.push_back(series_file(names.residual, "residual", common, in));
  files.push_back(series_file(names.corrected, "corrected", common, in));
  return files;
}

}  // namespace outcrop::tools
