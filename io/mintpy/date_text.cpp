// Checks dates strictly: a text that is cut or shifted by one character must not become another day.
#include "io/mintpy/date_text.hpp"

#include <fmt/format.h>

#include <array>

#include "core/error.hpp"

namespace outcrop::io::mintpy {
namespace {

bool all_digits(const std::string& text, std::size_t begin, std::size_t count) {
  for (std::size_t i = begin; i < begin + count; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
  }
  return true;
}

int number_at(const std::string& text, std::size_t begin, std::size_t count) {
  int value = 0;
  for (std::size_t i = begin; i < begin + count; ++i) value = 10 * value + (text[i] - '0');
  return value;
}

int days_in_month(int year, int month) {
  constexpr std::array<int, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return days[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

bool is_time(const std::string& text) {
  if (text[8] != 'T' || !all_digits(text, 9, text.size() - 9)) return false;
  const int second = text.size() == 15 ? number_at(text, 13, 2) : 0;
  return number_at(text, 9, 2) < 24 && number_at(text, 11, 2) < 60 && second < 60;
}

}  // namespace

bool is_date(const std::string& text) {
  if (text.size() != 8 && text.size() != 13 && text.size() != 15) return false;
  if (!all_digits(text, 0, 8)) return false;
  const int year = number_at(text, 0, 4);
  const int month = number_at(text, 4, 2);
  const int day = number_at(text, 6, 2);
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return false;
  return text.size() == 8 || is_time(text);
}

void check_dates(const std::string& path, const std::vector<std::string>& texts, std::size_t per_row) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto row = i / per_row;
    if (!is_date(texts[i])) {
      fail(Errc::input, fmt::format("reading dataset date of {}: row {} (from 0) is '{}', not a date as YYYYMMDD, "
                                    "YYYYMMDDTHHMM or YYYYMMDDTHHMMSS; correct it",
                                    path, row, texts[i]));
    }
    if (texts[i].size() != texts[0].size()) {
      fail(Errc::input, fmt::format("reading dataset date of {}: row {} (from 0) is '{}', the first is '{}'; write all "
                                    "dates in one form",
                                    path, row, texts[i], texts[0]));
    }
  }
}

}  // namespace outcrop::io::mintpy
