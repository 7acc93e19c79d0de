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

/// A zero at the reference pixel means "referenced there already" unless nothing around it, or no component, has data.
bool has_data_around(const InvertInputs& in, const InvertSettings& settings, std::size_t pair,
                     const io::SourceOptions& options, Log& log) {
  const ReferencePixel at = *in.reference;
  const std::vector<std::int64_t> layer{in.layers[pair]};
  const auto near = io::read_rect({"phase", in.stack.path, settings.dataset, layer}, around(in), options, log);
  if (std::none_of(near.begin(), near.end(), [](float v) { return v != 0 && !std::isnan(v); })) return false;
  const auto* component = in.stack.find("connectComponent");
  if (component == nullptr || component->layers != static_cast<std::int64_t>(in.stack.dates.size())) return true;
  return io::read_rect({"mask", in.stack.path, "connectComponent", layer}, {at.row, at.col, 1, 1}, options, log)[0] != 0;
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

}  // namespace

std::vector<float> read_reference(const InvertInputs& in, const InvertSettings& settings, const io::SourceOptions& options,
                                  std::int64_t& num_without_data, Log& log) {
  num_without_data = 0;
  if (!in.reference) return std::vector<float>(in.layers.size(), 0.0F);
  const ReferencePixel at = *in.reference;
  auto values = io::read_rect(in.plane("phase", settings.dataset), {at.row, at.col, 1, 1}, options, log);
  std::vector<std::string> left_out;
  std::size_t zeros = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    bool usable = std::isfinite(values[k]);
    if (values[k] == 0) {
      usable = has_data_around(in, settings, k, options, log);
      zeros += usable ? 1 : 0;
    }
    if (usable) continue;
    values[k] = std::numeric_limits<float>::quiet_NaN();
    const auto& dates = in.stack.dates[static_cast<std::size_t>(in.layers[k])];
    left_out.push_back(dates[0] + "_" + dates[1]);
  }
  if (left_out.size() == values.size()) {
    fail(Errc::input, fmt::format("no pair of {} has data at the reference pixel (row {}, column {}): choose another with "
                                  "MintPy's reference_point.py",
                                  in.stack.path, at.row, at.col));
  }
  if (zeros > 0) {
    log.warn(fmt::format("{} of {} pairs are exactly 0 at the reference pixel (row {}, column {}): they are taken as "
                         "referenced there already",
                         zeros, values.size(), at.row, at.col));
  }
  if (!left_out.empty()) {
    log.warn(fmt::format("left out at every pixel, having no data at the reference pixel (row {}, column {}): {}", at.row,
                         at.col, fmt::join(left_out, ", ")));
  }
  warn_of_masks(in, options, log);
  num_without_data = static_cast<std::int64_t>(left_out.size());
  return values;
}

}  // namespace outcrop::tools
