#include "core/units.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace outcrop {
namespace {

/// Bytes a unit stands for; 0 when it is none.
double unit_bytes(std::string_view unit) {
  if (unit.size() == 2 && (unit[1] == 'B' || unit[1] == 'b')) unit.remove_suffix(1);
  if (unit.size() == 3 && (unit.substr(1) == "iB" || unit.substr(1) == "ib")) unit.remove_suffix(2);
  if (unit.size() != 1) return 0;
  switch (unit[0]) {
    case 'B':
    case 'b':
      return 1;
    case 'K':
    case 'k':
      return 1024.0;
    case 'M':
    case 'm':
      return 1024.0 * 1024;
    case 'G':
    case 'g':
      return 1024.0 * 1024 * 1024;
    case 'T':
    case 't':
      return 1024.0 * 1024 * 1024 * 1024;
    default:
      return 0;
  }
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<std::int64_t> parse_bytes(std::string_view text, double bare_unit) {
  text = trimmed(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view unit = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  const double bytes = number * (unit.empty() ? bare_unit : unit_bytes(unit));
  if (!(bytes >= 1) || bytes > std::ldexp(1.0, 62)) return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

std::optional<std::int64_t> parse_count(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc{} || unit.size() > 1) return std::nullopt;
  if (unit == "k" || unit == "K")
    number *= 1e3;
  else if (unit == "M")
    number *= 1e6;
  else if (unit == "G")
    number *= 1e9;
  else if (!unit.empty())
    return std::nullopt;
  // 1.1k is 1100 although the binary number is not quite.
  const double whole = std::round(number);
  if (!(std::abs(number - whole) <= 1e-9 * whole) || !(whole >= 1) || whole > std::ldexp(1.0, 53)) return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

std::string format_bytes(double bytes) {
  const char* const names[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  while (bytes >= 1000 && unit < 5) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, names[unit]);
}

std::string format_time(double seconds) {
  if (seconds < 60) return fmt::format("{:.2f} s", seconds);
  constexpr double longest = 1e12;
  if (!(seconds < longest)) return fmt::format("{:.3g} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace outcrop
