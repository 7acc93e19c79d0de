#include "tools/outcrop/chain/second_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <variant>

#include "core/error.hpp"

namespace outcrop::tools {
namespace {

namespace fs = std::filesystem;

/// The same for all names of a file, whether it is there or not.
fs::path place_of(const std::string& path) { return fs::weakly_canonical(fs::absolute(path)); }

/// The error of the elevation model shifts pixels in range, in proportion to the baseline: along the track and in the
/// ionosphere's share of the phase there is nothing of it.
void refuse_observation(const FirstStep& first) {
  const Observation& observation = first.settings.observation;
  const bool of_ionosphere = is_ion_stack(first.inputs.stack.path) || observation.dataset.starts_with("ion");
  const bool in_range = observation.measured == Measured::phase || observation.measured == Measured::range;
  if (in_range && !of_ionosphere) return;
  fail(Errc::usage,
       fmt::format("--then correct-topography: {} of {} does not depend on the elevation model; invert it without "
                   "--then",
                   observation.dataset, first.inputs.stack.path));
}

std::vector<double> baselines_of(const std::vector<io::SmallDataset>& small) {
  for (const auto& dataset : small) {
    if (dataset.name != "bperp") continue;
    const auto& values = std::get<std::vector<float>>(dataset.values);
    return {values.begin(), values.end()};
  }
  return {};
}

/// temporalCoherence.h5 beside the series, when the first step makes it.
std::optional<io::mintpy::MapFile> made_coherence(const FirstStep& first) {
  const fs::path path = fs::path(first.names.series).parent_path() / "temporalCoherence.h5";
  for (const auto& name : first.names.all()) {
    if (place_of(name) != place_of(path)) continue;
    if (name == first.names.quality) {
      return io::mintpy::MapFile{path.string(), "temporalCoherence", first.inputs.stack.rows, first.inputs.stack.cols};
    }
    fail(Errc::usage,
         fmt::format("--then correct-topography would take the product {} for the temporal coherence, which it looks "
                     "for there; give it another name",
                     name));
  }
  return std::nullopt;
}

std::vector<std::string> files_read(const FirstStep& first) {
  std::vector<std::string> files{first.inputs.stack.path};
  if (first.inputs.water_mask) files.push_back(first.inputs.water_mask->path);
  if (first.inputs.quality) files.push_back(first.inputs.quality->path);
  return files;
}

/// Each step has looked at its own products and inputs already.
void check_names(const FirstStep& first, const SecondStep& second) {
  std::map<fs::path, std::string> taken;
  for (const auto& name : files_read(first)) taken.emplace(place_of(name), "the input " + name);
  for (const auto& name : first.names.all()) taken.emplace(place_of(name), "the product " + name);
  for (const auto& name : second.names.all()) {
    const auto found = taken.find(place_of(name));
    if (found == taken.end()) continue;
    fail(Errc::usage, fmt::format("the product {} of correct-topography would replace {} of invert-network; give it "
                                  "another name",
                                  name, found->second));
  }
  if (!second.inputs.geometry) return;
  const auto found = taken.find(place_of(second.inputs.geometry->path));
  if (found == taken.end() || found->second.starts_with("the input")) return;
  fail(Errc::usage,
       fmt::format("{} of invert-network would replace the geometry file; give it another name", found->second));
}

}  // namespace

MadeSeries made_series(const FirstStep& first) {
  const io::OutputFile file = products(first.names, first.settings, first.inputs).back();
  MadeSeries made;
  made.series.path = file.path;
  made.series.rows = first.inputs.stack.rows;
  made.series.cols = first.inputs.stack.cols;
  made.series.dates = first.inputs.network.dates;
  made.series.bperp_m = baselines_of(file.small);
  made.series.attributes = file.attributes;
  made.small = file.small;
  made.run_id = file.attributes.get("outcrop.run_id").value_or("");
  made.coherence = made_coherence(first);
  return made;
}

SecondStep read_second_step(const FirstStep& first, const TopographyFlags& flags,
                            const std::optional<io::mintpy::Template>& given, const std::string& out_dir, Log& log) {
  refuse_observation(first);
  SecondStep second;
  second.settings = resolve_settings(flags, given);
  second.inputs = read_inputs(made_series(first), flags, second.settings, log);
  second.names = product_names(flags, second.inputs, out_dir);
  check_names(first, second);
  return second;
}

}  // namespace outcrop::tools
