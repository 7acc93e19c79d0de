// Dates as texts.
#include "model/dates.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"

using namespace outcrop;

TEST_CASE("dates count days since 1970, with the time of day as a fraction") {
  CHECK(model::parse_date("19700101") == 0);
  CHECK(model::parse_date("20000301") == 11017);
  CHECK(model::parse_date("20200101T0600") == 18262.25);
  CHECK(model::parse_date("20200101T180036") == 18262.75 + 36 / 86400.0);
  CHECK(model::parse_date("19691231T1200") == -0.5);
}

TEST_CASE("the last digit of a date counts") {
  CHECK(model::parse_date("20200102") - model::parse_date("20200101") == 1);
  CHECK(model::parse_date("20200301") - model::parse_date("20200228") == 2);
}

TEST_CASE("what is no date is refused with its text") {
  for (const char* text : {"", "200101", "20200230", "20210229", "20201301", "20200100", "2020-1-1", "20200101T",
                           "20200101T24", "20200101T2400", "20200101T1260", "20200101T120060", "20200101 1200",
                           "20200101T12a0", " 20200101", "20200101 ", "202001011", "+2020101"}) {
    CAPTURE(text);
    try {
      model::parse_date(text);
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.code() == Errc::input);
      CHECK(std::string(error.what()).find("'" + std::string(text) + "'") != std::string::npos);
    }
  }
}
