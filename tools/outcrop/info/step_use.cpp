// Asks the steps' own code what they would use, so that the answer cannot differ from what they do.
#include "tools/outcrop/info/step_use.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/error.hpp"
#include "io/mintpy/stack.hpp"
#include "model/elimination.hpp"
#include "model/network.hpp"
#include "tools/outcrop/invert_network/inputs.hpp"
#include "tools/outcrop/invert_network/settings.hpp"

namespace outcrop::tools {
namespace {

namespace fs = std::filesystem;

/// Dates that the longest pair spans: the band of the normal equations in the order of time.
std::int64_t longest_span(const model::Network& network) {
  int longest = 0;
  for (const auto& pair : network.pairs) longest = std::max(longest, std::abs(pair.second - pair.first));
  return longest;
}

InfoSection describe_network(const io::mintpy::Stack& stack) {
  InfoSection section{"network", {}};
  std::vector<std::array<std::string, 2>> kept;
  std::int64_t selfs = 0;
  for (std::size_t i = 0; i < stack.dates.size(); ++i) {
    if (stack.keep[i] && stack.dates[i][0] != stack.dates[i][1]) kept.push_back(stack.dates[i]);
    if (stack.keep[i] && stack.dates[i][0] == stack.dates[i][1]) ++selfs;
  }
  const auto num_kept = std::count(stack.keep.begin(), stack.keep.end(), true);
  section.add_number("pairs", static_cast<std::int64_t>(stack.dates.size()));
  section.add_number("pairs kept", std::int64_t{num_kept});
  section.add_number("pairs dropped", static_cast<std::int64_t>(stack.dates.size()) - num_kept);
  if (selfs > 0) section.add_number("pairs of a date with itself", selfs);
  if (kept.empty()) return section;
  const auto network = model::make_network(kept);
  const auto islands = model::islands(network);
  section.add_number("dates", std::int64_t{network.num_dates()});
  section.add_text("first date", network.dates.front());
  section.add_text("last date", network.dates.back());
  section.add_number("islands", std::int64_t{*std::max_element(islands.begin(), islands.end())} + 1);
  section.add_number("longest pair in dates", longest_span(network));
  const double edges = static_cast<double>(model::plan_elimination(network).num_edges());
  section.add_number("mean band width", std::round(100 * edges / network.num_dates()) / 100);
  return section;
}

std::string size_text(std::int64_t rows, std::int64_t cols) { return fmt::format("{} x {}", rows, cols); }

InfoSection describe_inversion(const std::string& path, const std::optional<io::mintpy::Template>& given, Log& log) {
  InfoSection section{"invert-network", {}};
  try {
    InvertFlags flags;
    flags.stack = path;
    const auto settings = resolve_settings(flags, given);
    section.add_text("observation", settings.observation.dataset);
    section.add_text("weight", settings.weight_word);
    section.add_text("mask dataset", settings.mask_dataset.empty() ? "none" : settings.mask_dataset);
    const auto inputs = read_inputs(path, settings, log);
    section.add_text("image", size_text(inputs.stack.rows, inputs.stack.cols));
    section.add_number("pairs used", static_cast<std::int64_t>(inputs.layers.size()));
    section.add_number("looks", std::int64_t{inputs.num_looks});
    if (inputs.reference) {
      section.add_text("reference pixel",
                       fmt::format("row {}, column {}", inputs.reference->row, inputs.reference->col));
    }
    section.add_text("water mask", inputs.water_mask ? inputs.water_mask->path : "none");
    section.add_text("average coherence", inputs.quality ? inputs.quality->path : "none");
    if (!inputs.notes.empty()) section.add_texts("notes", inputs.notes);
  } catch (const Error& error) {
    section.add_text("would refuse", error.what());
  }
  return section;
}

/// Those of the names that the file lacks.
std::vector<std::string> missing_attributes(const io::Contents& contents, const std::vector<std::string>& names) {
  std::vector<std::string> missing;
  for (const auto& name : names) {
    if (!contents.attributes.get(name)) missing.push_back(name);
  }
  return missing;
}

std::string shape_of(const io::Contents& contents, const std::string& name) {
  const auto* dataset = contents.find(name);
  if (dataset == nullptr) return "none";
  return fmt::format("[{}]", fmt::join(dataset->shape, " x "));
}

/// Geometry files where MintPy has them.
std::string geometry_beside(const std::string& series) {
  const fs::path folder = fs::path(series).parent_path();
  for (const char* name : {"inputs/geometryRadar.h5", "inputs/geometryGeo.h5"}) {
    if (fs::exists(folder / name)) return (folder / name).string() + " (give it with -g)";
  }
  return "none found beside the series";
}

}  // namespace

std::vector<InfoSection> describe_stack(const std::string& path, const std::optional<io::mintpy::Template>& given,
                                        Log& log) {
  std::vector<InfoSection> sections;
  try {
    sections.push_back(describe_network(io::mintpy::read_stack(path)));
  } catch (const Error& error) {
    sections.push_back({"network", {}});
    sections.back().add_text("problem", error.what());
  }
  sections.push_back(describe_inversion(path, given, log));
  return sections;
}

InfoSection describe_series(const io::Contents& series) {
  InfoSection section{"correct-topography", {}};
  section.add_text("time series", shape_of(series, "timeseries"));
  if (series.find("date") != nullptr) {
    const auto dates = io::read_texts(series.path, "date");
    section.add_number("dates", static_cast<std::int64_t>(dates.size()));
    if (!dates.empty()) section.add_text("reference date", series.attributes.get("REF_DATE").value_or(dates.front()));
  } else {
    section.add_text("would refuse", "it has no dataset date");
  }
  section.add_text("bperp", shape_of(series, "bperp"));
  section.add_text("geometry", geometry_beside(series.path));
  const fs::path quality = fs::path(series.path).parent_path() / "temporalCoherence.h5";
  section.add_text("temporal coherence", fs::exists(quality) ? quality.string() : "none");
  const auto missing =
      missing_attributes(series, {"STARTING_RANGE", "RANGE_PIXEL_SIZE", "EARTH_RADIUS", "HEIGHT", "WIDTH"});
  if (!missing.empty()) section.add_texts("attributes missing without -g", missing);
  return section;
}

InfoSection describe_geometry(const io::Contents& geometry) {
  InfoSection section{"correct-topography", {}};
  section.add_text("incidenceAngle", shape_of(geometry, "incidenceAngle"));
  section.add_text("slantRangeDistance", shape_of(geometry, "slantRangeDistance"));
  section.add_text("bperp", shape_of(geometry, "bperp"));
  if (geometry.find("bperp") != nullptr && geometry.find("date") != nullptr) {
    section.add_number("dates of bperp", static_cast<std::int64_t>(io::read_texts(geometry.path, "date").size()));
  }
  const bool pixelwise = geometry.find("incidenceAngle") != nullptr;
  section.add_text("geometry", pixelwise ? "one value a pixel" : "one value for the scene, from attributes");
  return section;
}

}  // namespace outcrop::tools
