// Python's text forms, made from the shortest digits that std::to_chars finds.
#include "io/python_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace outcrop::io {
namespace {

/// The digits with the point after the one that counts 10^exponent.
std::string positional(const std::string& digits, int exponent) {
  if (exponent < 0) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return digits + std::string(whole - digits.size(), '0') + ".0";
  return digits.substr(0, whole) + "." + digits.substr(whole);
}

template <class T>
std::string shortest(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 64> buffer = {};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));  // [-]d[.ddd]e[+-]xx
  // Judged by the value, as numpy does: float32 1e-4 lies below 1e-4.
  const double size = std::abs(static_cast<double>(value));
  if (size != 0 && !(size >= 1e-4 && size < 1e16)) return std::string(text);
  const auto mark = text.find('e');
  int exponent = 0;
  const auto number = text.substr(text[mark + 1] == '+' ? mark + 2 : mark + 1);
  std::from_chars(number.data(), number.data() + number.size(), exponent);
  std::string digits;
  for (const char c : text.substr(0, mark)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  return (std::signbit(value) ? "-" : "") + positional(digits, exponent);
}

std::string quoted(const std::string& item) {
  const bool has_single = item.find('\'') != std::string::npos;
  const char quote = has_single && item.find('"') == std::string::npos ? '"' : '\'';
  std::string text(1, quote);
  for (const char c : item) {
    if (c == quote || c == '\\') text += '\\';
    text += c;
  }
  return text + quote;
}

}  // namespace

std::string python_float(double value) { return shortest(value); }
std::string python_float(float value) { return shortest(value); }

std::string python_bool(bool value) { return value ? "True" : "False"; }

std::string python_list(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const auto& item : items) text += (text.size() > 1 ? ", " : "") + quoted(item);
  return text + "]";
}

bool parse_number(const std::string& text, double& value) {
  constexpr const char* blanks = " \t\r\n\f\v";
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string::npos) return false;
  const auto end = text.find_last_not_of(blanks) + 1;
  const bool plus = text[begin] == '+' && begin + 1 < end && text[begin + 1] != '-';
  const char* last = text.data() + end;
  const auto result = std::from_chars(text.data() + begin + (plus ? 1 : 0), last, value);
  return result.ec == std::errc() && result.ptr == last;
}

}  // namespace outcrop::io
