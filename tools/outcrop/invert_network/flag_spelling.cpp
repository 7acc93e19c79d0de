// Settles the settings a second time without the flags that MintPy would not see, and compares.
#include "tools/outcrop/invert_network/flag_spelling.hpp"

#include <algorithm>
#include <initializer_list>

#include "core/error.hpp"

namespace outcrop::tools {
namespace {

std::optional<std::string> path_of(const InvertSettings& s) {
  return s.water_mask ? std::optional(s.water_mask->path) : std::nullopt;
}

/// Nothing when MintPy would stop at what the template says.
std::optional<InvertSettings> resolved(const InvertFlags& flags, const std::optional<io::mintpy::Template>& given) {
  try {
    return resolve_settings(flags, given);
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool are_equal(const InvertSettings& a, const InvertSettings& b) {
  return a.weight_word == b.weight_word && a.mask_dataset == b.mask_dataset && a.mask_threshold == b.mask_threshold &&
         a.min_redundancy == b.min_redundancy && a.min_norm_velocity == b.min_norm_velocity && path_of(a) == path_of(b);
}

}  // namespace

bool flags_win(const InvertFlags& flags, const std::optional<io::mintpy::Template>& given,
               const std::vector<std::string>& command_line) {
  if (!given) return false;
  const auto loses = [&](const char* key, std::initializer_list<const char*> spellings) {
    const auto is_word = [&](const char* flag) {
      return std::find(command_line.begin(), command_line.end(), flag) != command_line.end();
    };
    return given->get(std::string("mintpy.networkInversion.") + key) &&
           std::none_of(spellings.begin(), spellings.end(), is_word);
  };
  InvertFlags seen = flags;
  if (loses("weightFunc", {"-w", "--weight-func"})) seen.weight.reset();
  if (loses("maskDataset", {"--mask-dset", "--mask-dataset", "--md"})) seen.mask_dataset.reset();
  if (loses("maskThreshold", {"--mask-thres", "--mask-threshold", "--mt"})) seen.mask_threshold.reset();
  if (loses("minRedundancy", {"--min-redun", "--min-redundancy", "--mr"})) seen.min_redundancy.reset();
  if (loses("minNormVelocity", {"--min-norm-phase"})) seen.min_norm_phase = false;
  if (loses("waterMaskFile", {"-m", "--water-mask"})) seen.water_mask.reset();
  auto mintpy = resolved(seen, given);
  const InvertSettings here = resolve_settings(flags, given);
  // A template's "no" does not take a water mask away.
  if (mintpy && !mintpy->water_mask) mintpy->water_mask = here.water_mask;
  return !mintpy || !are_equal(*mintpy, here);
}

}  // namespace outcrop::tools
