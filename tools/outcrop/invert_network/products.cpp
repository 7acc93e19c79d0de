#include "tools/outcrop/invert_network/products.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "io/python_text.hpp"
#include "tools/outcrop/version.hpp"

namespace outcrop::tools {
namespace {

namespace fs = std::filesystem;
using io::Attributes;

/// Names by observation; an observation of the ion... kind is known by the name of the stack file.
ProductNames default_names(const InvertSettings& settings, const InvertInputs& in) {
  if (settings.dataset.starts_with("ion")) {
    fail(Errc::usage, fmt::format("--dset {}: there are no usual names for its products; give three with -o", settings.dataset));
  }
  if (fs::path(in.stack.path).filename().string().starts_with("ion")) {
    return {"ion.h5", "temporalCoherenceIon.h5", "numInvIon.h5"};
  }
  return {"timeseries.h5", "temporalCoherence.h5", "numInvIfgram.h5"};
}

void check_name(const std::string& path, const InvertInputs& in) {
  const std::string ending = fs::path(path).extension();
  if (ending != ".h5" && ending != ".he5") fail(Errc::usage, fmt::format("-o {}: a product's name ends in .h5 or .he5", path));
  std::vector<std::string> inputs{in.stack.path};
  if (in.water_mask) inputs.push_back(in.water_mask->path);
  if (in.quality) inputs.push_back(in.quality->path);
  for (const auto& input : inputs) {
    std::error_code none;
    if (fs::exists(path, none) && fs::equivalent(path, input, none)) {
      fail(Errc::input, fmt::format("the product {} would replace the input {}; give other names with -o", path, input));
    }
  }
}

/// First and last of all dates, dropped pairs included.
std::pair<std::string, std::string> date_range(const io::mintpy::Stack& stack) {
  std::set<std::string> dates;
  for (const auto& pair : stack.dates) dates.insert(pair.begin(), pair.end());
  return {*dates.begin(), *dates.rbegin()};
}

std::string fnv1a(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return fmt::format("{:016x}", hash);
}

/// The time that stands for a file's content: nanoseconds of its last change, and its size.
std::string file_identity(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return "absent";
  return fmt::format("{}.{:09} {}", info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_size);
}

std::string observation_identity(const InvertSettings& settings, const InvertInputs& in) {
  const auto* image = in.stack.find(settings.dataset);
  return image->modification_time ? "MODIFICATION_TIME " + *image->modification_time : file_identity(in.stack.path);
}

nlohmann::ordered_json input_mark(const InvertSettings& settings, const InvertInputs& in) {
  nlohmann::ordered_json mark;
  mark["observation"] = observation_identity(settings, in);
  mark["shape"] = {in.stack.dates.size(), in.stack.rows, in.stack.cols};
  std::string pairs;
  for (std::size_t i = 0; i < in.stack.dates.size(); ++i) {
    pairs += in.stack.dates[i][0] + "_" + in.stack.dates[i][1] + (in.stack.keep[i] ? "+" : "-");
  }
  mark["pairs and dropIfgram"] = fnv1a(pairs);
  std::string baselines;
  for (const double b : in.stack.bperp_m) baselines += fmt::format("{} ", b);
  mark["bperp"] = fnv1a(baselines);
  for (const char* name : {"REF_Y", "REF_X", "WAVELENGTH", "NCORRLOOKS", "ALOOKS", "RLOOKS"}) {
    if (const auto value = in.stack.attributes.get(name)) mark[name] = *value;
  }
  mark["water mask"] = in.water_mask ? file_identity(in.water_mask->path) : "none";
  mark["average coherence"] = in.quality ? file_identity(in.quality->path) : "none";
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
  a.set("outcrop.run_id", fnv1a(mark + version));
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

io::OutputFile map_file(const std::string& path, Attributes a, const std::string& dataset, const std::string& plane) {
  a.remove("REF_DATE");
  return {path, a, {}, {{dataset, plane, 1, true, DType::f32, {}}}};
}

}  // namespace

ProductNames product_names(const InvertFlags& flags, const InvertSettings& settings, const InvertInputs& in,
                           const std::string& out_dir) {
  ProductNames names;
  if (flags.outputs.empty()) {
    names = default_names(settings, in);
    for (std::string* name : {&names.series, &names.quality, &names.count}) *name = (fs::path(out_dir) / *name).string();
  } else {
    names = {flags.outputs[0], flags.outputs[1], flags.outputs[2]};
  }
  const auto all = names.all();
  for (const auto& name : all) check_name(name, in);
  if (std::set<fs::path>{fs::absolute(all[0]), fs::absolute(all[1]), fs::absolute(all[2])}.size() < 3) {
    fail(Errc::usage, fmt::format("-o {} {} {}: the three products need three names", all[0], all[1], all[2]));
  }
  return names;
}

Attributes settings_attributes(const InvertSettings& settings, const InvertInputs& in) {
  Attributes a;
  const auto set = [&](const char* key, const std::string& value) { a.set(fmt::format("mintpy.networkInversion.{}", key), value); };
  set("obsDatasetName", settings.dataset);
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
  return mark.dump();
}

std::vector<io::OutputFile> products(const ProductNames& names, const InvertSettings& settings, const InvertInputs& in) {
  const Attributes common = common_attributes(settings, in);
  Attributes count = attributes_of(common, "mask", "1");
  count.remove("NO_DATA_VALUE");
  const bool residual = fs::path(names.quality).filename().string().find("residual") != std::string::npos;
  const std::string quality = residual ? "residual" : "temporalCoherence";
  return {map_file(names.count, count, "mask", "count"),
          map_file(names.quality, attributes_of(common, quality, "1"), quality, "temporal_coherence"),
          series_file(names.series, common, in)};
}

}  // namespace outcrop::tools
