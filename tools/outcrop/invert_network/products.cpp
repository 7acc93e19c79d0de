#include "tools/outcrop/invert_network/products.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "io/python_text.hpp"
#include "tools/outcrop/completion.hpp"
#include "tools/outcrop/version.hpp"

namespace outcrop::tools {
namespace {

namespace fs = std::filesystem;
using io::Attributes;

/// MintPy's names; a stack of ionospheric phases is known by the name of its file.
ProductNames default_names(const InvertSettings& settings, const InvertInputs& in) {
  const Observation& observation = settings.observation;
  if (observation.measured == Measured::azimuth)
    return {"timeseriesAz.h5", "residualInvAz.h5", "numInvOffAz.h5", "", ""};
  if (observation.measured == Measured::range) return {"timeseriesRg.h5", "residualInvRg.h5", "numInvOffRg.h5", "", ""};
  if (!observation.dataset.starts_with("unwrapPhase")) {
    fail(Errc::usage,
         fmt::format("--dset {}: there are no usual names for its products; give three with -o", observation.dataset));
  }
  if (is_ion_stack(in.stack.path)) return {"ion.h5", "temporalCoherenceIon.h5", "numInvIon.h5", "", ""};
  return {"timeseries.h5", "temporalCoherence.h5", "numInvIfgram.h5", "", ""};
}

/// Beside the series, under its name.
std::string covariance_name(const std::string& series, const Observation& observation) {
  const fs::path path(series);
  const bool phase = observation.dataset.starts_with("unwrapPhase");
  return (path.parent_path() / (path.stem().string() + (phase ? "DecorCov.h5" : "Cov.h5"))).string();
}

void check_name(const std::string& path, const InvertInputs& in) {
  const std::string ending = fs::path(path).extension();
  if (ending != ".h5" && ending != ".he5")
    fail(Errc::usage, fmt::format("the product {} has a name that does not end in .h5 or .he5; give it one", path));
  std::vector<std::string> inputs{in.stack.path};
  if (in.water_mask) inputs.push_back(in.water_mask->path);
  if (in.quality) inputs.push_back(in.quality->path);
  for (const auto& input : inputs) {
    std::error_code none;
    if (fs::exists(path, none) && fs::equivalent(path, input, none)) {
      fail(Errc::input, fmt::format("the product {} would replace the input {}; give it another name", path, input));
    }
  }
}

/// First and last of all dates, dropped pairs included.
std::pair<std::string, std::string> date_range(const io::mintpy::Stack& stack) {
  std::set<std::string> dates;
  for (const auto& pair : stack.dates) dates.insert(pair.begin(), pair.end());
  return {*dates.begin(), *dates.rbegin()};
}

std::string observation_identity(const InvertSettings& settings, const InvertInputs& in) {
  const auto* image = in.stack.find(settings.observation.dataset);
  return image->modification_time ? "MODIFICATION_TIME " + *image->modification_time : file_identity(in.stack.path);
}

/// Attributes that the result can depend on.
std::vector<const char*> attributes_used(const InvertSettings& settings) {
  if (!settings.observation.is_offset()) return {"REF_Y", "REF_X", "WAVELENGTH", "NCORRLOOKS", "ALOOKS", "RLOOKS"};
  return {"REF_Y",  "REF_X",        "PROCESSOR", "RANGE_PIXEL_SIZE", "RLOOKS", "AZIMUTH_PIXEL_SIZE",
          "ALOOKS", "EARTH_RADIUS", "HEIGHT"};
}

nlohmann::ordered_json input_mark(const InvertSettings& settings, const InvertInputs& in) {
  nlohmann::ordered_json mark;
  mark["observation"] = observation_identity(settings, in);
  mark["shape"] = {in.stack.dates.size(), in.stack.rows, in.stack.cols};
  std::string pairs;
  for (std::size_t i = 0; i < in.stack.dates.size(); ++i) {
    pairs += in.stack.dates[i][0] + "_" + in.stack.dates[i][1] + (in.stack.keep[i] ? "+" : "-");
  }
  mark["pairs and dropIfgram"] = hash_of(pairs);
  std::string baselines;
  for (const double b : in.stack.bperp_m) baselines += fmt::format("{} ", b);
  mark["bperp"] = hash_of(baselines);
  for (const char* name : attributes_used(settings)) {
    if (const auto value = in.stack.attributes.get(name)) mark[name] = *value;
  }
  mark["water mask"] = in.water_mask ? file_identity(in.water_mask->path) : "none";
  mark[settings.observation.is_offset() ? "average signal-to-noise ratio" : "average coherence"] =
      in.quality ? file_identity(in.quality->path) : "none";
  return mark;
}

Attributes common_attributes(const InvertSettings& settings, const InvertInputs& in) {
  Attributes a = in.stack.attributes;
  const auto [first, last] = date_range(in.stack);
  a.set("START_DATE", first);
  a.set("END_DATE", last);
  const Attributes keys = settings_attributes(settings, in);
  for (const auto& [name, value] : keys.all()) a.set(name, value);
  const std::string mark = completion_mark(settings, in);
  a.set("outcrop.complete", mark);
  a.set("outcrop.run_id", hash_of(mark + version));
  return a;
}

Attributes attributes_of(const Attributes& common, const std::string& file_type, const std::string& unit) {
  Attributes a = common;
  a.set("FILE_TYPE", file_type);
  a.set("UNIT", unit);
  return a;
}

io::OutputFile series_file(const std::string& path, const Attributes& common, const InvertInputs& in) {
  Attributes a = attributes_of(common, "timeseries", "m");
  a.set("REF_DATE", in.network.dates.front());
  io::OutputFile file{path, a, {}, {}};
  const std::vector<float> bperp(in.bperp_m.begin(), in.bperp_m.end());
  file.small.push_back({"date", in.network.dates, {}, {}});
  file.small.push_back({"bperp", bperp, {}, {}});
  file.tiled.push_back({"timeseries", "timeseries", in.network.num_dates(), false, DType::f32, {}});
  return file;
}

/// [D, D, rows, cols], relative to a date of its own.
io::OutputFile covariance_file(const std::string& path, const Attributes& common, const InvertInputs& in) {
  // Chunks hold the whole matrix of a few pixels: that is what a tile has, and what a reader of a pixel wants.
  constexpr std::int64_t chunk = 16;
  Attributes a = attributes_of(common, "timeseries", "m");
  a.set("REF_DATE", in.network.dates[static_cast<std::size_t>(in.covariance_date)]);
  const std::int64_t num_dates = in.network.num_dates();
  io::OutputFile file{path, a, {}, {}};
  file.small.push_back({"date", in.network.dates, {}, {}});
  io::TiledDataset tiled{"timeseries", "covariance", num_dates * num_dates, false, DType::f32, {}};
  tiled.leading = {num_dates, num_dates};
  tiled.chunk_rows = chunk;
  tiled.chunk_cols = chunk;
  file.tiled.push_back(tiled);
  return file;
}

/// What became of each pixel, and into how many parts its network fell.
io::OutputFile status_file(const std::string& path, const Attributes& common) {
  Attributes a = attributes_of(common, "mask", "1");
  a.remove("REF_DATE");
  a.remove("NO_DATA_VALUE");
  io::OutputFile file{path, a, {}, {}};
  file.tiled.push_back({"status", "status", 1, true, DType::u8, {}});
  file.tiled.push_back({"numIslands", "islands", 1, true, DType::u8, {}});
  return file;
}

io::OutputFile map_file(const std::string& path, Attributes a, const std::string& dataset, const std::string& plane) {
  a.remove("REF_DATE");
  return {path, a, {}, {{dataset, plane, 1, true, DType::f32, {}}}};
}

}  // namespace

std::vector<std::string> ProductNames::all() const {
  std::vector<std::string> names{series, quality, count};
  for (const auto& name : {covariance, status}) {
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

ProductNames product_names(const InvertFlags& flags, const InvertSettings& settings, const InvertInputs& in,
                           const std::string& out_dir) {
  ProductNames names;
  if (flags.outputs.empty()) {
    names = default_names(settings, in);
    for (std::string* name : {&names.series, &names.quality, &names.count})
      *name = (fs::path(out_dir) / *name).string();
  } else {
    names = {flags.outputs[0], flags.outputs[1], flags.outputs[2], "", ""};
  }
  if (settings.calc_covariance) names.covariance = covariance_name(names.series, settings.observation);
  names.status = settings.status_file;
  std::set<fs::path> different;
  for (const auto& name : names.all()) {
    check_name(name, in);
    if (!different.insert(fs::absolute(name).lexically_normal()).second) {
      fail(Errc::usage,
           fmt::format("two products are named {}: the three names of -o, and that of --status-file, have to differ",
                       name));
    }
  }
  return names;
}

Attributes settings_attributes(const InvertSettings& settings, const InvertInputs& in) {
  Attributes a;
  const auto set = [&](const char* key, const std::string& value) {
    a.set(fmt::format("mintpy.networkInversion.{}", key), value);
  };
  set("obsDatasetName", settings.observation.dataset);
  set("numIfgram", std::to_string(in.num_kept));
  set("weightFunc", settings.weight_word);
  set("maskDataset", settings.mask_attribute);
  set("maskThreshold", io::python_float(settings.mask_threshold));
  set("minRedundancy", io::python_float(settings.min_redundancy));
  set("minNormVelocity", io::python_bool(settings.min_norm_velocity));
  return a;
}

std::string completion_mark(const InvertSettings& settings, const InvertInputs& in) {
  nlohmann::ordered_json mark;
  mark["step"] = "invert-network";
  mark["input"] = input_mark(settings, in);
  const Attributes keys = settings_attributes(settings, in);
  for (const auto& [name, value] : keys.all()) mark["settings"][name] = value;
  mark["settings"]["skip-reference"] = settings.skip_reference;
  mark["settings"]["calc-cov"] = settings.calc_covariance;
  mark["settings"]["mintpy-compat"] = settings.mintpy_compat;
  if (settings.calc_covariance) {
    mark["settings"]["reference date"] = in.network.dates[static_cast<std::size_t>(in.covariance_date)];
  }
  return mark.dump();
}

std::vector<io::OutputFile> products(const ProductNames& names, const InvertSettings& settings,
                                     const InvertInputs& in) {
  const Attributes common = common_attributes(settings, in);
  Attributes count = attributes_of(common, "mask", "1");
  count.remove("NO_DATA_VALUE");
  // MintPy goes by the name of the file here, not by what was observed.
  const bool residual = lower_case(fs::path(names.quality).filename().string()).find("residual") != std::string::npos;
  const std::string quality = residual ? "residual" : "temporalCoherence";
  std::vector<io::OutputFile> files{
      map_file(names.count, count, "mask", "count"),
      map_file(names.quality, attributes_of(common, quality, residual ? "pixel" : "1"), quality, "quality")};
  if (!names.status.empty()) files.push_back(status_file(names.status, common));
  if (!names.covariance.empty()) files.push_back(covariance_file(names.covariance, common, in));
  files.push_back(series_file(names.series, common, in));
  return files;
}

}  // namespace outcrop::tools
