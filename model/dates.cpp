// Date texts as InSAR stacks have them, turned into time.
#include "model/dates.hpp"

#include <fmt/format.h>

#include <chrono>

#include "core/error.hpp"

namespace outcrop::model {
namespace {

constexpr std::int64_t day_s = 86400;

[[noreturn]] void refuse(const std::string& text) {
  fail(Errc::input, fmt::format("'{}' is not a date; dates are YYYYMMDD, YYYYMMDDTHHMM or YYYYMMDDTHHMMSS", text));
}

/// The number of `count` digits from `begin`; anything else is refused.
int digits(const std::string& text, std::size_t begin, std::size_t count) {
  int value = 0;
  for (std::size_t i = begin; i < begin + count; ++i) {
    if (text[i] < '0' || text[i] > '9') refuse(text);
    value = 10 * value + (text[i] - '0');
  }
  return value;
}

int limited(const std::string& text, std::size_t begin, int limit) {
  const int value = digits(text, begin, 2);
  if (value >= limit) refuse(text);
  return value;
}

std::int64_t time_of_day_s(const std::string& text) {
  if (text[8] != 'T') refuse(text);
  const int hour = limited(text, 9, 24);
  const int minute = limited(text, 11, 60);
  const int second = text.size() == 15 ? limited(text, 13, 60) : 0;
  return (hour * 60 + minute) * 60 + second;
}

}  // namespace

std::int64_t parse_date_s(const std::string& text) {
  if (text.size() != 8 && text.size() != 13 && text.size() != 15) refuse(text);
  const std::chrono::year_month_day date{std::chrono::year{digits(text, 0, 4)},
                                         std::chrono::month{static_cast<unsigned>(digits(text, 4, 2))},
                                         std::chrono::day{static_cast<unsigned>(digits(text, 6, 2))}};
  if (!date.ok()) refuse(text);
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  return days * day_s + (text.size() > 8 ? time_of_day_s(text) : 0);
}

double days_between(std::int64_t from_s, std::int64_t to_s) {
  const std::int64_t elapsed_s = to_s - from_s;
  const std::int64_t whole_days = elapsed_s / day_s;
  return static_cast<double>(whole_days) + static_cast<double>(elapsed_s % day_s) / static_cast<double>(day_s);
}

double parse_date(const std::string& text) { return days_between(0, parse_date_s(text)); }

}  // namespace outcrop::model
