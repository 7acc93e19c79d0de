#include "tools/outcrop/invert_network/reference_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace outcrop::tools {
namespace {

/// How far around the reference pixel a sample proves that the pair has data there.
constexpr std::int64_t neighbourhood = 2;

TileRect around(const InvertInputs& in) {
  const ReferencePixel at = *in.reference;
  const std::int64_t row = std::max<std::int64_t>(0, at.row - neighbourhood);
  const std::int64_t col = std::max<std::int64_t>(0, at.col - neighbourhood);
  return {row, col, std::min(in.stack.rows, at.row + neighbourhood + 1) - row,
          std::min(in.stack.cols, at.col + neighbourhood + 1) - col};
}

/// Which pairs have data about the reference pixel: some sample near it, and a component there where the stack tells. A
/// zero at the reference pixel means "referenced there already" in these, and nothing in the others.
std::vector<bool> with_data_around(const InvertInputs& in, const InvertSettings& settings,
                                   const io::SourceOptions& options, Log& log) {
  const ReferencePixel at = *in.reference;
  const TileRect rect = around(in);
  const auto near = io::read_rect(in.plane("near", settings.observation.dataset), rect, options, log);
  std::vector<bool> found;
  for (std::size_t k = 0; k < in.layers.size(); ++k) {
    const auto begin = near.begin() + static_cast<std::ptrdiff_t>(k) * rect.pixels();
    found.push_back(std::any_of(begin, begin + rect.pixels(), [](float v) { return v != 0 && !std::isnan(v); }));
  }
  const auto* component = in.stack.find("connectComponent");
  if (component == nullptr || component->layers != static_cast<std::int64_t>(in.stack.dates.size())) return found;
  const auto label = io::read_rect(in.plane("label", "connectComponent"), {at.row, at.col, 1, 1}, options, log);
  for (std::size_t k = 0; k < found.size(); ++k) found[k] = found[k] && label[k] != 0;
  return found;
}

bool is_masked(const io::mintpy::MapFile& map, ReferencePixel at, const io::SourceOptions& options, Log& log) {
  return io::read_rect({"map", map.path, map.dataset, {}}, {at.row, at.col, 1, 1}, options, log)[0] == 0;
}

void warn_of_masks(const InvertInputs& in, const io::SourceOptions& options, Log& log) {
  for (const auto& map : {in.water_mask, in.quality}) {
    if (map && is_masked(*map, *in.reference, options, log)) {
      log.warn(fmt::format("the reference pixel (row {}, column {}) is masked by {}; it is used all the same",
                           in.reference->row, in.reference->col, map->path));
    }
  }
}

/// Pairs that the mask dataset masks at the reference pixel, by the rule's threshold alone.
void warn_of_mask_dataset(const InvertInputs& in, const InvertSettings& settings, const io::SourceOptions& options,
                          Log& log) {
  if (!in.masks) return;
  const ReferencePixel at = *in.reference;
  const auto values = io::read_rect(in.plane("mask", settings.mask_dataset), {at.row, at.col, 1, 1}, options, log);
  const auto threshold = static_cast<float>(settings.mask_threshold);
  const bool labels = settings.mask_dataset == "connectComponent";
  const bool upper = settings.mask_dataset.ends_with("OffsetStd");
  const auto masked = std::count_if(values.begin(), values.end(), [&](float stored) {
    const float value = std::isnan(stored) ? 0.0F : stored;
    return labels ? value == 0 : upper ? value > threshold : value < threshold;
  });
  if (masked == 0) return;
  log.warn(
      fmt::format("the reference pixel (row {}, column {}) is masked by {} in {} of {} pairs; it is used all the same",
                  at.row, at.col, settings.mask_dataset, masked, values.size()));
}

/// Sets the values of pairs that have no data at the reference pixel to NaN and counts the zeros that are data.
std::size_t settle_zeros(std::vector<float>& values, const InvertInputs& in, const InvertSettings& settings,
                         const io::SourceOptions& options, Log& log) {
  if (settings.observation.zero_is_data || std::find(values.begin(), values.end(), 0.0F) == values.end()) return 0;
  std::size_t zeros = 0;
  const auto has_data = with_data_around(in, settings, options, log);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] != 0) continue;
    if (has_data[k] || settings.mintpy_compat) {
      ++zeros;
    } else {
      values[k] = std::numeric_limits<float>::quiet_NaN();
    }
  }
  return zeros;
}

std::vector<std::string> pairs_left_out(std::vector<float>& values, const InvertInputs& in) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isfinite(values[k])) continue;
    values[k] = std::numeric_limits<float>::quiet_NaN();
    const auto& dates = in.stack.dates[static_cast<std::size_t>(in.layers[k])];
    names.push_back(dates[0] + "_" + dates[1]);
  }
  return names;
}

}  // namespace

std::vector<float> read_reference(const InvertInputs& in, const InvertSettings& settings,
                                  const io::SourceOptions& options, std::int64_t& num_without_data, Log& log) {
  num_without_data = 0;
  if (!in.reference) return std::vector<float>(in.layers.size(), 0.0F);
  const ReferencePixel at = *in.reference;
  auto values =
      io::read_rect(in.plane("reference", settings.observation.dataset), {at.row, at.col, 1, 1}, options, log);
  const std::size_t zeros = settle_zeros(values, in, settings, options, log);
  const std::vector<std::string> left_out = pairs_left_out(values, in);
  if (left_out.size() == values.size() && !settings.mintpy_compat) {
    fail(Errc::input,
         fmt::format("no pair of {} has data at the reference pixel (row {}, column {}): choose another with "
                     "MintPy's reference_point.py",
                     in.stack.path, at.row, at.col));
  }
  if (zeros > 0) {
    log.warn(
        fmt::format("{} of {} pairs are exactly 0 at the reference pixel (row {}, column {}): they are taken as "
                    "referenced there already",
                    zeros, values.size(), at.row, at.col));
  }
  if (!left_out.empty()) {
    log.warn(fmt::format("left out at every pixel, having no data at the reference pixel (row {}, column {}): {}",
                         at.row, at.col, fmt::join(left_out, ", ")));
  }
  warn_of_masks(in, options, log);
  warn_of_mask_dataset(in, settings, options, log);
  num_without_data = static_cast<std::int64_t>(left_out.size());
  return values;
}

}  // namespace outcrop::tools
