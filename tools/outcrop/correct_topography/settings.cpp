#include "tools/outcrop/correct_topography/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "io/mintpy/date_text.hpp"
#include "io/python_text.hpp"

namespace outcrop::tools {
namespace {

using Given = std::optional<io::mintpy::Template>;

std::string full_key(const char* key) { return fmt::format("mintpy.topographicResidual.{}", key); }

std::optional<std::string> template_value(const Given& given, const char* key) {
  return given ? given->get(full_key(key)) : std::nullopt;
}

[[noreturn]] void refuse_key(const Given& given, const char* key, const std::string& value, const char* wanted) {
  fail(Errc::usage, fmt::format("{}: {} = {}; it should be {}", given->path(), full_key(key), value, wanted));
}

/// The items of a template's list, blanks dropped; nullopt when the key is absent or says no.
std::optional<std::vector<std::string>> template_list(const Given& given, const char* key,
                                                      DeviationCounts& deviations) {
  const auto value = template_value(given, key);
  if (!value || *value == "False" || *value == "None") return std::nullopt;
  std::vector<std::string> items{""};
  bool blanks = false;
  for (const char c : *value) {
    if (c == ',') {
      items.emplace_back();
    } else if (c != '[' && c != ']') {
      items.back() += c;
    }
  }
  for (std::string& item : items) {
    blanks = blanks || item != trimmed(item);
    item = trimmed(item);
  }
  std::erase(items, "");
  if (blanks) ++deviations[deviation::blanks];
  return items;
}

/// The flag, but for MintPy's answer the template; the default when there is neither.
template <class T>
T choose(const std::optional<T>& flag, const std::optional<T>& from_template, T otherwise, TopographySettings& s) {
  if (flag && from_template && *flag != *from_template) {
    if (s.mintpy_compat) return *from_template;
    s.deviations[deviation::flags_win] = 1;
  }
  return flag ? *flag : from_template.value_or(std::move(otherwise));
}

template <class T>
std::optional<std::vector<T>> unless_empty(const std::vector<T>& list) {
  return list.empty() ? std::nullopt : std::optional(list);
}

std::optional<int> template_order(const Given& given) {
  const auto text = template_value(given, "polyOrder");
  if (!text) return std::nullopt;
  double order = 0;
  if (!io::parse_number(*text, order) || order != std::floor(order) || std::abs(order) > 1e6) {
    refuse_key(given, "polyOrder", *text, "a whole number");
  }
  return static_cast<int>(order);
}

void resolve_order(TopographySettings& s, const TopographyFlags& flags, const Given& given) {
  s.terms.polynomial_order = choose(flags.polynomial_order, template_order(given), 2, s);
  if (s.terms.polynomial_order < 1) {
    fail(Errc::usage, fmt::format("the order of the polynomial (--poly-order, {}) is {}; it should be 1 or more",
                                  full_key("polyOrder"), s.terms.polynomial_order));
  }
}

void resolve_velocity(TopographySettings& s, const TopographyFlags& flags, const Given& given) {
  const auto text = template_value(given, "phaseVelocity");
  if (text && *text != "True" && *text != "False" && *text != "None") {
    refuse_key(given, "phaseVelocity", *text, "yes or no");
  }
  std::optional<bool> from_template;
  if (text) from_template = *text == "True";
  s.phase_velocity = choose(flags.phase_velocity ? std::optional<bool>(true) : std::nullopt, from_template, false, s);
}

/// Of a template with both names the newer one decides, unless it is `auto`: MintPy 1.6 has that in every template.
std::optional<std::vector<std::string>> template_steps(TopographySettings& s, const Given& given) {
  constexpr const char* old_key = "stepFuncDate";
  if (!template_value(given, old_key)) return template_list(given, "stepDate", s.deviations);
  const bool both = template_value(given, "stepDate").has_value();
  const bool old_decides = !both || given->is_auto(full_key("stepDate"));
  s.step_keys = both ? std::vector<std::string>{"stepDate", old_key} : std::vector<std::string>{old_key};
  return template_list(given, old_decides ? old_key : "stepDate", s.deviations);
}

void resolve_steps(TopographySettings& s, const TopographyFlags& flags, const Given& given) {
  auto from_template = template_steps(s, given);
  if (from_template) std::transform(from_template->begin(), from_template->end(), from_template->begin(), with_century);
  std::vector<std::string> from_flags;
  for (const auto& step : flags.steps) from_flags.push_back(trimmed(step));
  s.terms.steps = choose(unless_empty(from_flags), from_template, {}, s);
  for (const auto& step : s.terms.steps) {
    if (io::mintpy::is_date(step)) continue;
    fail(Errc::usage, fmt::format("the step date {} (--step-date, {}) is no date; dates are YYYYMMDD or YYYYMMDDTHHMM",
                                  step, full_key(s.step_keys.front().c_str())));
  }
}

void resolve_excluded(TopographySettings& s, const TopographyFlags& flags, const Given& given) {
  const auto from_template = template_list(given, "excludeDate", s.deviations);
  std::vector<std::string> from_flags;
  for (const auto& entry : flags.excluded) from_flags.push_back(trimmed(entry));
  // MintPy's automatic file name is no wish that a flag goes against.
  const bool automatic = given && given->is_auto(full_key("excludeDate"));
  const auto rival = automatic && !s.mintpy_compat && !from_flags.empty() ? std::nullopt : from_template;
  const auto list = choose(unless_empty(from_flags), rival, {}, s);
  const bool of_template = from_flags.empty() || (s.mintpy_compat && from_template);
  for (const auto& text : list) s.excluded.push_back({text, !(of_template && automatic), of_template});
}

void resolve_periods(TopographySettings& s, const TopographyFlags& flags) {
  s.terms.periods_yr = flags.periods_yr;
  for (const double period_yr : s.terms.periods_yr) {
    if (std::isfinite(period_yr) && period_yr > 0) continue;
    fail(Errc::usage, fmt::format("--periodic {}: a period is a positive number of years", period_yr));
  }
}

}  // namespace

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  const auto begin = text.find_first_not_of(blanks);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

bool names_file(const std::string& entry) {
  return entry.ends_with(".txt") || entry.ends_with(".cfg") || entry.ends_with(".dat");
}

std::string with_century(const std::string& text) {
  const bool short_date = text.size() == 6 && text.find_first_not_of("0123456789") == std::string::npos;
  if (!short_date) return text;
  return (text.substr(0, 2) > "80" ? "19" : "20") + text;
}

TopographySettings resolve_settings(const TopographyFlags& flags, const Given& given) {
  TopographySettings s;
  s.mintpy_compat = flags.mintpy_compat;
  s.accept_geometry = flags.accept_geometry;
  resolve_order(s, flags, given);
  resolve_velocity(s, flags, given);
  resolve_steps(s, flags, given);
  resolve_excluded(s, flags, given);
  resolve_periods(s, flags);
  s.wants_pixelwise_geometry = template_value(given, "pixelwiseGeometry") == "True";
  return s;
}

}  // namespace outcrop::tools
