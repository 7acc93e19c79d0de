// Date texts as InSAR stacks have them, turned into time.
#pragma once

#include <cstdint>
#include <string>

namespace outcrop::model {

/// Seconds since 1970-01-01 of YYYYMMDD, YYYYMMDDTHHMM or YYYYMMDDTHHMMSS. No blanks, no other form, real calendar
/// dates. Throws: Errc::input with the text.
std::int64_t parse_date_s(const std::string& text);

/// The same in days, with the time of day as a fraction.
double parse_date(const std::string& text);

/// Days from one moment to a later one, both in seconds.
double days_between(std::int64_t from_s, std::int64_t to_s);

}  // namespace outcrop::model
