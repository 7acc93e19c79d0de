#include "tools/outcrop/invert_network/settings.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/python_text.hpp"

namespace outcrop::tools {
namespace {

using Given = std::optional<io::mintpy::Template>;

std::string full_key(const char* key) { return fmt::format("mintpy.networkInversion.{}", key); }

std::optional<std::string> template_value(const Given& given, const std::string& key) {
  return given ? given->get(key) : std::nullopt;
}

[[noreturn]] void refuse_key(const Given& given, const std::string& key, const std::string& value, const char* wanted) {
  fail(Errc::usage, fmt::format("{}: {} = {}; it should be {}", given->path(), key, value, wanted));
}

std::optional<double> to_number(const std::string& text) {
  double value = 0;
  return io::parse_number(text, value) && std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

double number_of(const std::optional<double>& flag, const Given& given, const char* key, double fallback) {
  if (flag && std::isfinite(*flag)) return *flag;
  if (flag) fail(Errc::usage, fmt::format("the flag for {} has the value {}; it should be a number", key, *flag));
  const auto text = template_value(given, full_key(key));
  if (!text) return fallback;
  const auto number = to_number(*text);
  if (!number) refuse_key(given, full_key(key), *text, "a number");
  return *number;
}

/// Words that MintPy takes for a weight function; nullopt for others.
std::optional<model::WeightFunction> weight_of(const std::string& word) {
  const std::string w = lower_case(word);
  const auto has = [&](const char* part) { return w.find(part) != std::string::npos; };
  if (w == "no" || w == "false" || w == "none" || w == "sbas") return model::WeightFunction::none;
  if (has("var")) return model::WeightFunction::variance;
  if (has("coh") || has("lin")) return model::WeightFunction::coherence;
  if (has("fim") || has("fisher")) return model::WeightFunction::fisher;
  return std::nullopt;
}

void resolve_weight(InvertSettings& s, const InvertFlags& flags, const Given& given) {
  const auto from_template = template_value(given, full_key("weightFunc"));
  s.weight_word = flags.weight.value_or(from_template.value_or("var"));
  const auto function = weight_of(s.weight_word);
  if (!function) {
    const char* const wanted = "var, fim, coh or no";
    if (flags.weight) fail(Errc::usage, fmt::format("--weight-func {}: it should be {}", *flags.weight, wanted));
    refuse_key(given, full_key("weightFunc"), s.weight_word, wanted);
  }
  s.weight = *function;
  // A template's "no" reaches us as Python's False; MintPy writes the word.
  if (s.weight == model::WeightFunction::none && lower_case(s.weight_word) != "sbas") s.weight_word = "no";
}

/// Offsets have standard deviations instead of coherences: only `var` means something for them.
void resolve_offset_weight(InvertSettings& s) {
  if (s.weight == model::WeightFunction::none) return;
  const bool known = s.weight == model::WeightFunction::variance;
  if (!known && s.calc_covariance) {
    fail(Errc::usage,
         fmt::format("the weight {} needs coherence, which offsets have not; with --calc-cov they can be weighted "
                     "by --weight-func var or no",
                     s.weight_word));
  }
  s.weight = known ? model::WeightFunction::deviation : model::WeightFunction::none;
  s.weight_is_ignored = !known;
}

/// "unwrapPhase" with the suffix that the template's unwrapping-error correction gave the dataset.
std::string default_dataset(const Given& given) {
  const std::string key = "mintpy.unwrapError.method";
  std::string method = lower_case(template_value(given, key).value_or(""));
  std::erase(method, ' ');
  if (method.empty() || method == "false" || method == "none") return "unwrapPhase";
  if (method == "bridging") return "unwrapPhase_bridging";
  if (method == "phase_closure") return "unwrapPhase_phaseClosure";
  if (method == "bridging+phase_closure") return "unwrapPhase_bridging_phaseClosure";
  refuse_key(given, key, method, "bridging, phase_closure, bridging+phase_closure or no");
}

/// Throws Errc::usage unless the dataset is one that MintPy masks by.
void check_mask_name(const std::string& name) {
  if (name.empty() || name == "coherence" || name == "connectComponent" || name == "offsetSNR") return;
  if (name.ends_with("OffsetStd")) return;
  fail(Errc::usage,
       fmt::format("the mask dataset {} is none to mask by: it can be coherence, connectComponent, offsetSNR, "
                   "azimuthOffsetStd, rangeOffsetStd or no",
                   name));
}

void resolve_mask(InvertSettings& s, const InvertFlags& flags, const Given& given) {
  const auto is_off = [](const std::string& word) {
    const std::string w = lower_case(word);
    return w == "no" || w == "false" || w == "none";
  };
  const auto wish = flags.mask_dataset ? flags.mask_dataset : template_value(given, full_key("maskDataset"));
  if (wish && !is_off(*wish)) s.mask_dataset = *wish;
  check_mask_name(s.mask_dataset);
  // MintPy spells "no mask" in two ways, and its update check compares the text.
  s.mask_attribute = !s.mask_dataset.empty() ? s.mask_dataset : given ? "False" : "None";
  s.mask_threshold = number_of(flags.mask_threshold, given, "maskThreshold", 0.4);
}

void resolve_water_mask(InvertSettings& s, const InvertFlags& flags, const Given& given) {
  const std::string key = full_key("waterMaskFile");
  if (flags.water_mask) {
    s.water_mask = WaterMaskWish{*flags.water_mask, true};
  } else if (const auto path = template_value(given, key); path && *path != "False" && *path != "None") {
    s.water_mask = WaterMaskWish{*path, !given->is_auto(key)};
  }
}

bool resolve_velocity(const InvertFlags& flags, const Given& given) {
  if (flags.min_norm_phase) return false;
  const auto word = template_value(given, full_key("minNormVelocity"));
  if (!word || *word == "True") return true;
  if (*word == "False") return false;
  refuse_key(given, full_key("minNormVelocity"), *word, "yes or no");
}

}  // namespace

InvertSettings resolve_settings(const InvertFlags& flags, const Given& given) {
  InvertSettings s;
  s.observation = observation_of(flags.dataset ? *flags.dataset : default_dataset(given));
  s.calc_covariance = flags.calc_covariance;
  resolve_weight(s, flags, given);
  if (s.observation.is_offset()) resolve_offset_weight(s);
  resolve_mask(s, flags, given);
  resolve_water_mask(s, flags, given);
  s.min_redundancy = number_of(flags.min_redundancy, given, "minRedundancy", 1.0);
  s.min_norm_velocity = resolve_velocity(flags, given);
  s.skip_reference = flags.skip_reference;
  s.status_file = flags.status_file.value_or("");
  s.mintpy_compat = flags.mintpy_compat;
  return s;
}

std::optional<double> template_memory_gb(const Given& given) {
  const std::string key = "mintpy.compute.maxMemory";
  if (!given || given->is_auto(key)) return std::nullopt;
  const auto text = given->get(key);
  if (!text) return std::nullopt;
  const auto number = to_number(*text);
  if (!number || !(*number > 0)) refuse_key(given, key, *text, "a number of GB");
  return number;
}

}  // namespace outcrop::tools
