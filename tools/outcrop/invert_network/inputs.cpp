#include "tools/outcrop/invert_network/inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

namespace outcrop::tools {
namespace {

namespace fs = std::filesystem;
using io::mintpy::MapFile;
using io::mintpy::Stack;

const io::mintpy::ImageDataset& require_image(const Stack& stack, const std::string& name, const std::string& why) {
  const auto* image = stack.find(name);
  if (image != nullptr && image->layers == static_cast<std::int64_t>(stack.dates.size())) return *image;
  std::vector<std::string> present;
  for (const auto& i : stack.images) present.push_back(i.name);
  fail(Errc::input, fmt::format("{} has no dataset {} of {} layers, which {}; it has {}", stack.path, name,
                                stack.dates.size(), why, fmt::join(present, ", ")));
}

std::string pair_name(const std::array<std::string, 2>& dates) { return dates[0] + "_" + dates[1]; }

void choose_pairs(InvertInputs& in, Log& log) {
  std::vector<std::string> selfs;
  std::vector<std::array<std::string, 2>> pairs;
  for (std::size_t i = 0; i < in.stack.dates.size(); ++i) {
    if (!in.stack.keep[i]) continue;
    ++in.num_kept;
    if (in.stack.dates[i][0] == in.stack.dates[i][1]) {
      selfs.push_back(pair_name(in.stack.dates[i]));
      continue;
    }
    in.layers.push_back(static_cast<std::int64_t>(i));
    pairs.push_back(in.stack.dates[i]);
  }
  if (!selfs.empty()) log.warn(fmt::format("left out, as pairs of a date with itself: {}", fmt::join(selfs, ", ")));
  if (pairs.empty()) {
    fail(Errc::input, fmt::format("{}: none of its {} pairs is kept by dropIfgram (true keeps a pair)", in.stack.path,
                                  in.stack.dates.size()));
  }
  in.network = model::make_network(pairs);
}

void warn_of_islands(const model::Network& network, Log& log) {
  const auto island = model::islands(network);
  std::map<int, std::vector<std::string>> dates;
  for (std::size_t i = 0; i < island.size(); ++i) dates[island[i]].push_back(network.dates[i]);
  if (dates.size() < 2) return;
  std::vector<std::string> texts;
  for (const auto& [number, members] : dates) texts.push_back(fmt::format("{}", fmt::join(members, " ")));
  log.warn(fmt::format("the network falls into {} islands that no pair connects: {}; across the gaps the minimum-norm "
                       "answer is given",
                       dates.size(), fmt::join(texts, " | ")));
}

void read_baselines(InvertInputs& in) {
  const Stack& stack = in.stack;
  if (stack.bperp_m.empty()) {
    fail(Errc::input, fmt::format("{} has no dataset bperp [{}], the perpendicular baselines of the pairs", stack.path,
                                  stack.dates.size()));
  }
  std::vector<double> values;
  for (const std::int64_t layer : in.layers) {
    const auto i = static_cast<std::size_t>(layer);
    if (!std::isfinite(stack.bperp_m[i])) {
      fail(Errc::input, fmt::format("{}: bperp of the pair {} is {}; give it a number or drop the pair", stack.path,
                                    pair_name(stack.dates[i]), stack.bperp_m[i]));
    }
    values.push_back(stack.bperp_m[i]);
  }
  in.bperp_m = model::dates_from_pairs(in.network, values);
}

/// Number of independent looks; only asked for when the weight function uses it.
int looks_of(const Stack& stack) {
  std::optional<double> looks;
  try {
    looks = stack.attributes.number("NCORRLOOKS");
    if (!looks) {
      const auto azimuth = stack.attributes.number("ALOOKS");
      const auto range = stack.attributes.number("RLOOKS");
      // 1.94: resolution cell over pixel of Sentinel-1, MintPy's constant. Its looks are whole numbers.
      if (azimuth && range) looks = std::trunc(*azimuth) * std::trunc(*range) / 1.94;
    }
  } catch (Error& error) {
    throw std::move(error).within("the weights var and fim need the number of looks; --weight-func coh or no does not");
  }
  if (!looks) {
    fail(Errc::input, fmt::format("{} has neither the attribute NCORRLOOKS nor both ALOOKS and RLOOKS, which the weights var "
                                  "and fim need; add one, or use --weight-func coh or no",
                                  stack.path));
  }
  constexpr double most = 1e6;
  return static_cast<int>(std::clamp(std::nearbyint(*looks), 1.0, most));
}

double wavelength_of(const Stack& stack, Log& log) {
  const auto wavelength = stack.attributes.number("WAVELENGTH");
  if (!wavelength || *wavelength <= 0) {
    fail(Errc::input, fmt::format("{} has {} attribute WAVELENGTH (metres), which turns phase into displacement", stack.path,
                                  wavelength ? "a wrong" : "no"));
  }
  if (*wavelength < 0.01 || *wavelength > 20) {
    log.warn(fmt::format("{}: WAVELENGTH is {} m; radars that map the ground have 0.01 to 20 m", stack.path, *wavelength));
  }
  return *wavelength;
}

ReferencePixel reference_of(const Stack& stack) {
  const auto row = stack.attributes.integer("REF_Y");
  const auto col = stack.attributes.integer("REF_X");
  if (!row || !col) {
    fail(Errc::input, fmt::format("No REF_X/Y found! {} lacks the attribute {}: run MintPy's reference_point.py, or give "
                                  "--skip-reference when the phases are referenced already",
                                  stack.path, row ? "REF_X" : "REF_Y"));
  }
  if (*row < 0 || *row >= stack.rows || *col < 0 || *col >= stack.cols) {
    fail(Errc::input, fmt::format("{}: the reference pixel REF_Y = {}, REF_X = {} lies outside the image of {} x {}",
                                  stack.path, *row, *col, stack.rows, stack.cols));
  }
  return {*row, *col};
}

void find_water_mask(InvertInputs& in, const InvertSettings& settings) {
  if (!settings.water_mask) return;
  const auto& [path, required] = *settings.water_mask;
  if (!fs::exists(path)) {
    if (required) fail(Errc::input, fmt::format("the water mask {} is not there", path));
    in.notes.push_back(fmt::format("water mask: {} is not there, none is used", path));
    return;
  }
  const MapFile mask = io::mintpy::read_map_header(path, {"waterMask", "mask"});
  if (mask.rows != in.stack.rows || mask.cols != in.stack.cols) {
    fail(Errc::input, fmt::format("the water mask {} has {} x {} pixels, {} has {} x {}", path, mask.rows, mask.cols,
                                  in.stack.path, in.stack.rows, in.stack.cols));
  }
  in.notes.push_back(fmt::format("water mask: {}", path));
  in.water_mask = mask;
}

/// The average coherence that MintPy makes beside `inputs`; its zeros leave pixels out.
void find_quality(InvertInputs& in, Log& log) {
  const bool is_ion = fs::path(in.stack.path).filename().string().starts_with("ion");
  const fs::path folder = fs::absolute(in.stack.path).parent_path().parent_path();
  const fs::path path = folder / (is_ion ? "avgSpatialCohIon.h5" : "avgSpatialCoh.h5");
  const std::string shown = fs::proximate(path).string();
  if (!fs::exists(path)) {
    in.notes.push_back(fmt::format("average coherence: {} is not there, none is used", shown));
    return;
  }
  const MapFile map = io::mintpy::read_map_header(shown, {});
  if (map.rows != in.stack.rows || map.cols != in.stack.cols) {
    log.warn(fmt::format("{} is ignored: it has {} x {} pixels, the stack has {} x {}", shown, map.rows, map.cols,
                         in.stack.rows, in.stack.cols));
    return;
  }
  in.notes.push_back(fmt::format("average coherence: pixels that are 0 in {} are left out", shown));
  in.quality = map;
}

void check_mask_name(const InvertSettings& settings) {
  const std::string& name = settings.mask_dataset;
  if (name.empty() || name == "coherence" || name == "connectComponent") return;
  fail(Errc::usage, fmt::format("the mask dataset {} is none that masks phases: it can be coherence, connectComponent or no",
                                name));
}

}  // namespace

io::PlaneRequest InvertInputs::plane(const std::string& name, const std::string& dataset) const {
  return {name, stack.path, dataset, layers};
}

void check_observation_name(const std::string& dataset) {
  if (dataset.starts_with("unwrapPhase") || dataset.starts_with("ion")) return;
  std::string lower = dataset;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower.find("offset") != std::string::npos) {
    fail(Errc::usage, fmt::format("--dset {}: offsets are not built yet", dataset));
  }
  fail(Errc::usage, fmt::format("--dset {}: an observation begins with unwrapPhase or ion, or has offset in its name", dataset));
}

InvertInputs read_inputs(const std::string& stack_path, const InvertSettings& settings, Log& log) {
  check_observation_name(settings.dataset);
  check_mask_name(settings);
  InvertInputs in;
  in.stack = io::mintpy::read_stack(stack_path);
  require_image(in.stack, settings.dataset, "is the observation to invert");
  if (settings.weight != model::WeightFunction::none) {
    require_image(in.stack, "coherence",
                  fmt::format("the weight {} needs (--weight-func no does not)", settings.weight_word));
  }
  if (!settings.mask_dataset.empty()) require_image(in.stack, settings.mask_dataset, "is the mask dataset");
  choose_pairs(in, log);
  warn_of_islands(in.network, log);
  read_baselines(in);
  if (settings.weight == model::WeightFunction::variance || settings.weight == model::WeightFunction::fisher) {
    in.num_looks = looks_of(in.stack);
  }
  in.wavelength_m = wavelength_of(in.stack, log);
  if (!settings.skip_reference) in.reference = reference_of(in.stack);
  find_water_mask(in, settings);
  find_quality(in, log);
  return in;
}

}  // namespace outcrop::tools
