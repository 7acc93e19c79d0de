// Python's text forms, which MintPy compares as strings; the expected texts are those of Python and numpy themselves.
#include "io/python_text.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <locale>
#include <string>

using outcrop::io::parse_number;
using outcrop::io::python_bool;
using outcrop::io::python_float;
using outcrop::io::python_list;

TEST_CASE("a double has the text of Python's str") {
  CHECK(python_float(0.4) == "0.4");
  CHECK(python_float(1.0) == "1.0");
  CHECK(python_float(2.5) == "2.5");
  CHECK(python_float(1e-5) == "1e-05");
  CHECK(python_float(0.0001) == "0.0001");
  CHECK(python_float(0.00012345) == "0.00012345");
  CHECK(python_float(1.5e-7) == "1.5e-07");
  CHECK(python_float(1e15) == "1000000000000000.0");
  CHECK(python_float(1e16) == "1e+16");
  CHECK(python_float(1.25e300) == "1.25e+300");
  CHECK(python_float(5e-324) == "5e-324");
  CHECK(python_float(6371008.8) == "6371008.8");
  CHECK(python_float(0.1 + 0.2) == "0.30000000000000004");
  CHECK(python_float(0.0) == "0.0");
  CHECK(python_float(-0.0) == "-0.0");
  CHECK(python_float(-12345.678) == "-12345.678");
  CHECK(python_float(std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(python_float(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("a float32 has the shortest text among float32 values") {
  CHECK(python_float(0.4F) == "0.4");
  CHECK(python_float(0.05546576F) == "0.05546576");
  CHECK(python_float(16777216.0F) == "16777216.0");
  CHECK(python_float(1e-5F) == "1e-05");
  CHECK(python_float(1e16F) == "1e+16");
  CHECK(python_float(1e-4F) == "1e-04");
}

TEST_CASE("booleans and lists have Python's text") {
  CHECK(python_bool(true) == "True");
  CHECK(python_bool(false) == "False");
  CHECK(python_list({}) == "[]");
  CHECK(python_list({"20160501", "20160812"}) == "['20160501', '20160812']");
  CHECK(python_list({"it's"}) == "[\"it's\"]");
  CHECK(python_list({"a\\b", "'\""}) == R"(['a\\b', '\'"'])");
}

TEST_CASE("numbers are read as people write them") {
  double value = 0;
  for (const char* text : {"39582.0", "3.9582e4", " 39582 ", "+39582", "39582.\n"}) {
    CAPTURE(text);
    value = 0;
    CHECK(parse_number(text, value));
    CHECK(value == 39582);
  }
  CHECK(parse_number("-1e3", value));
  CHECK(value == -1000);
  for (const char* text : {"", "  ", "abc", "1,5", "1 2", "0x10", "+-1", "+", "1e", "None"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_number(text, value));
  }
}

TEST_CASE("a locale with a decimal comma changes nothing") {
  struct Comma final : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const auto before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  double value = 0;
  CHECK(parse_number("2.5", value));
  CHECK(value == 2.5);
  CHECK(python_float(2.5) == "2.5");
  std::locale::global(before);
}
