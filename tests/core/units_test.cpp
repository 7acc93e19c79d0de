// Sizes and counts as people write them.
#include "core/units.hpp"

#include <doctest/doctest.h>

using outcrop::parse_count;

TEST_CASE("a count can have a unit or an exponent") {
  CHECK(parse_count("226000") == 226000);
  CHECK(parse_count("226k") == 226000);
  CHECK(parse_count("3.4M") == 3400000);
  CHECK(parse_count("1.1k") == 1100);
  CHECK(parse_count("1G") == 1000000000);
  CHECK(parse_count("1e9") == 1000000000);
  CHECK(parse_count("9007199254740992") == std::int64_t{1} << 53);
}

TEST_CASE("what is no whole number from 1 up is no count") {
  for (const char* text : {"", "0", "-1", "1.5", "nan", "inf", "1e300", "k", "5kk", "5 k", "0x10", "1T", "12ab"}) {
    CHECK_MESSAGE(!parse_count(text).has_value(), text);
  }
}

TEST_CASE("a time is told in the units that fit it, however long") {
  CHECK(outcrop::format_time(0.125) == "0.12 s");
  CHECK(outcrop::format_time(61) == "1 min 01 s");
  CHECK(outcrop::format_time(3661) == "1 h 01 min");
  CHECK(outcrop::format_time(1e300) == "1e+300 s");
}
