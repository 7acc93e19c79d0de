#include "tools/outcrop/invert_network/inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "tools/outcrop/invert_network/reference_date.hpp"

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

/// Numbers that are measured are floating point in MintPy's files: integers there are not what the name says.
void require_measured(const Stack& stack, const std::string& name, const std::string& why) {
  const auto& image = require_image(stack, name, why);
  if (image.numeric && !image.integers) return;
  fail(Errc::unsupported,
       fmt::format("dataset {} in {} holds {}, but {}, so it should hold floating-point numbers; make it "
                   "again",
                   name, stack.path, image.integers ? "integers" : "no numbers", why));
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
  if (!selfs.empty()) {
    in.deviations[deviation::self_pairs] = static_cast<std::int64_t>(selfs.size());
    log.warn(fmt::format("left out, as pairs of a date with itself: {}", fmt::join(selfs, ", ")));
  }
  if (pairs.empty()) {
    fail(Errc::input, fmt::format("{}: none of its {} pairs is {}", in.stack.path, in.stack.dates.size(),
                                  selfs.empty() ? "kept by dropIfgram (true keeps a pair); keep some"
                                                : "kept by dropIfgram and joins two dates; add such pairs"));
  }
  if (pairs.size() == 1) in.deviations[deviation::single_pair] = 1;
  in.network = model::make_network(pairs);
}

void warn_of_islands(const model::Network& network, Log& log) {
  const auto island = model::islands(network);
  std::map<int, std::vector<std::string>> dates;
  for (std::size_t i = 0; i < island.size(); ++i) dates[island[i]].push_back(network.dates[i]);
  if (dates.size() < 2) return;
  std::vector<std::string> texts;
  for (const auto& [number, members] : dates) texts.push_back(fmt::format("{}", fmt::join(members, " ")));
  log.warn(
      fmt::format("the network falls into {} islands that no pair connects: {}; across the gaps the minimum-norm "
                  "answer is given",
                  dates.size(), fmt::join(texts, " | ")));
}

/// MintPy is wrong about a network whose pairs all begin with one later date; see the table of deviations.
void find_shared_date(InvertInputs& in, const InvertSettings& settings, Log& log) {
  const auto shared = model::shared_later_date(in.network);
  if (!shared) return;
  const std::string& name = in.network.dates[static_cast<std::size_t>(*shared)];
  if (settings.mintpy_compat) {
    in.removed_date = *shared;
    log.warn(fmt::format("all pairs begin with {}: bperp is relative to it and not in time order, as in MintPy{}", name,
                         settings.min_norm_velocity ? "" : ", and so is the series"));
    return;
  }
  in.deviations[deviation::shared_later_date] = 1;
  log.info(fmt::format(
      "all pairs begin with {}: bperp and the series are relative to {} here, where MintPy mixes up the dates", name,
      in.network.dates.front()));
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
  const auto by_date = model::dates_from_pairs(in.network, values, in.removed_date);
  for (const int date : model::order_without(in.network.num_dates(), in.removed_date)) {
    in.bperp_m.push_back(by_date[static_cast<std::size_t>(date)]);
  }
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
    fail(Errc::input,
         fmt::format("{} has neither the attribute NCORRLOOKS nor both ALOOKS and RLOOKS, which the weights var "
                     "and fim need; add one, or use --weight-func coh or no",
                     stack.path));
  }
  constexpr double most = 1e6;
  return static_cast<int>(std::clamp(std::nearbyint(*looks), 1.0, most));
}

ReferencePixel reference_of(const Stack& stack) {
  const auto row = stack.attributes.integer("REF_Y");
  const auto col = stack.attributes.integer("REF_X");
  if (!row || !col) {
    fail(Errc::input,
         fmt::format("No REF_X/Y found! {} lacks the attribute {}: run MintPy's reference_point.py, or give "
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

/// The average coherence, or signal-to-noise ratio, that MintPy makes beside `inputs`; its zeros leave pixels out.
void find_quality(InvertInputs& in, const InvertSettings& settings, Log& log) {
  const bool is_offset = settings.observation.is_offset();
  const char* const name = is_offset                     ? "avgSpatialSNR.h5"
                           : is_ion_stack(in.stack.path) ? "avgSpatialCohIon.h5"
                                                         : "avgSpatialCoh.h5";
  const char* const what = is_offset ? "average signal-to-noise ratio" : "average coherence";
  const fs::path path = fs::absolute(in.stack.path).parent_path().parent_path() / name;
  const std::string shown = fs::proximate(path).string();
  if (!fs::exists(path)) {
    in.notes.push_back(fmt::format("{}: {} is not there, none is used", what, shown));
    return;
  }
  const MapFile map = io::mintpy::read_map_header(shown, {});
  if (map.rows != in.stack.rows || map.cols != in.stack.cols) {
    log.warn(fmt::format("{} is ignored: it has {} x {} pixels, the stack has {} x {}", shown, map.rows, map.cols,
                         in.stack.rows, in.stack.cols));
    return;
  }
  in.notes.push_back(fmt::format("{}: pixels that are 0 in {} are left out", what, shown));
  in.quality = map;
}

void find_mask_dataset(InvertInputs& in, const InvertSettings& settings, Log& log) {
  const std::string& name = settings.mask_dataset;
  if (name.empty()) return;
  if (settings.mintpy_compat && in.stack.find(name) == nullptr) {
    log.warn(fmt::format("{} has no mask dataset {}: nothing is masked, as in MintPy", in.stack.path, name));
    return;
  }
  require_image(in.stack, name, "is the mask dataset (--mask-dset no masks nothing)");
  in.masks = true;
}

/// Whether weights, or the variances for a covariance, need the number of looks.
bool needs_looks(const InvertSettings& settings) {
  const bool for_weights =
      settings.weight == model::WeightFunction::variance || settings.weight == model::WeightFunction::fisher;
  return for_weights || (settings.calc_covariance && !settings.observation.is_offset());
}

void check_datasets(const InvertInputs& in, const InvertSettings& settings) {
  require_measured(in.stack, settings.observation.dataset, "is the observation to invert");
  if (settings.weight == model::WeightFunction::none && !settings.calc_covariance) return;
  const std::string why = settings.calc_covariance
                              ? std::string("--calc-cov needs")
                              : fmt::format("the weight {} needs (--weight-func no does not)", settings.weight_word);
  if (settings.observation.is_offset()) {
    require_measured(in.stack, settings.observation.deviation_dataset(), why);
  } else {
    require_image(in.stack, "coherence", why);
  }
}

/// Offsets need no reference pixel: without one they are taken as they are.
void find_reference(InvertInputs& in, const InvertSettings& settings, Log& log) {
  if (settings.skip_reference) return;
  const auto& attributes = in.stack.attributes;
  if (settings.observation.is_offset() && !(attributes.get("REF_Y") && attributes.get("REF_X"))) {
    log.info("the stack has no REF_Y and REF_X: the offsets are not referenced");
    return;
  }
  in.reference = reference_of(in.stack);
}

}  // namespace

io::PlaneRequest InvertInputs::plane(const std::string& name, const std::string& dataset) const {
  return {name, stack.path, dataset, layers};
}

InvertInputs read_inputs(const std::string& stack_path, const InvertSettings& settings, Log& log) {
  InvertInputs in;
  in.stack = io::mintpy::read_stack(stack_path);
  if (settings.weight_is_ignored) {
    log.warn(
        fmt::format("the weight {} needs coherence, which offsets have not: they are not weighted (var weights them by "
                    "their standard deviations)",
                    settings.weight_word));
  }
  check_datasets(in, settings);
  find_mask_dataset(in, settings, log);
  choose_pairs(in, log);
  warn_of_islands(in.network, log);
  find_shared_date(in, settings, log);
  read_baselines(in);
  if (needs_looks(settings)) in.num_looks = looks_of(in.stack);
  in.metres_per_unit = metres_per_unit(settings.observation, in.stack, in.deviations, log);
  find_reference(in, settings, log);
  if (settings.calc_covariance) {
    in.covariance_date = covariance_reference_date(stack_path, in.network);
    if (settings.observation.is_offset() && !settings.mintpy_compat)
      in.deviations[deviation::squared_offset_factor] = 1;
  }
  find_water_mask(in, settings);
  find_quality(in, settings, log);
  return in;
}

}  // namespace outcrop::tools
