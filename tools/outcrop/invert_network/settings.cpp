#include "tools/outcrop/invert_network/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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
  if (flag) return *flag;
  const auto text = template_value(given, full_key(key));
  if (!text) return fallback;
  const auto number = to_number(*text);
  if (!number) refuse_key(given, full_key(key), *text, "a number");
  return *number;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Words that MintPy takes for a weight function; nullopt for others.
std::optional<model::WeightFunction> weight_of(const std::string& word) {
  const std::string w = lower(word);
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
  if (s.weight == model::WeightFunction::none && lower(s.weight_word) != "sbas") s.weight_word = "no";
}

/// "unwrapPhase" with the suffix that the template's unwrapping-error correction gave the dataset.
std::string default_dataset(const Given& given) {
  const std::string key = "mintpy.unwrapError.method";
  std::string method = lower(template_value(given, key).value_or(""));
  std::erase(method, ' ');
  if (method.empty() || method == "false" || method == "none") return "unwrapPhase";
  if (method == "bridging") return "unwrapPhase_bridging";
  if (method == "phase_closure") return "unwrapPhase_phaseClosure";
  if (method == "bridging+phase_closure") return "unwrapPhase_bridging_phaseClosure";
  refuse_key(given, key, method, "bridging, phase_closure, bridging+phase_closure or no");
}

void resolve_mask(InvertSettings& s, const InvertFlags& flags, const Given& given) {
  const auto is_off = [](const std::string& word) {
    const std::string w = lower(word);
    return w == "no" || w == "false" || w == "none";
  };
  const auto wish = flags.mask_dataset ? flags.mask_dataset : template_value(given, full_key("maskDataset"));
  if (wish && !is_off(*wish)) s.mask_dataset = *wish;
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
  s.dataset = flags.dataset.value_or(default_dataset(given));
  resolve_weight(s, flags, given);
  resolve_mask(s, flags, given);
  resolve_water_mask(s, flags, given);
  s.min_redundancy = number_of(flags.min_redundancy, given, "minRedundancy", 1.0);
  s.min_norm_velocity = resolve_velocity(flags, given);
  s.skip_reference = flags.skip_reference;
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
