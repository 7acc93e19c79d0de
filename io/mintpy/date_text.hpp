// The texts that stand for dates in MintPy's files.
#pragma once

#include <string>
#include <vector>

namespace outcrop::io::mintpy {

/// YYYYMMDD, YYYYMMDDTHHMM or YYYYMMDDTHHMMSS, of a day that the calendar has.
bool is_date(const std::string& text);

/// Throws Errc::input naming file and row unless every text is a date and all are of one form.
/// `per_row`: how many texts a row of the dataset `date` has.
void check_dates(const std::string& path, const std::vector<std::string>& texts, std::size_t per_row);

}  // namespace outcrop::io::mintpy
