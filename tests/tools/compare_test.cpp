// The comparison of two files: what counts as a difference, what is only reported, and the numbers it states.
#include "tools/outcrop/compare/compare.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/support/h5_build.hpp"
#include "tests/support/temp_folder.hpp"
#include "tools/outcrop/compare/difference.hpp"

using outcrop::test::contains;
using outcrop::test::error_of;
using outcrop::test::H5Build;
using outcrop::test::TempFolder;
using namespace outcrop::tools;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
const std::vector<float> series = {0, 1, 2, 3, 4, 5, 6, nan};
using Build = std::function<void(H5Build&)>;

void build_series(H5Build& file) { file.floats("timeseries", {2, 2, 2}, series); }

struct Outcome {
  int code = -1;
  std::string text;
};

Outcome compare(const Build& reference, const Build& other, CompareOptions options = {}) {
  const TempFolder folder;
  options.reference = folder.file("a.h5");
  options.other = folder.file("b.h5");
  {
    H5Build a(options.reference);
    reference(a);
    H5Build b(options.other);
    other(b);
  }
  outcrop::Log log(outcrop::Verbosity::quiet);
  std::ostringstream out;
  const int code = run_compare(options, out, log);
  return {code, out.str()};
}

}  // namespace

TEST_CASE("a file equals itself, NaN and all") {
  const auto build = [](H5Build& file) {
    build_series(file);
    file.strings("date", {2}, 8, {"20200101", "20200102"});
    file.floats("cov", {2, 2, 1, 1}, {1, 2, 3, 4});
    file.floats("none", {0, 4}, {});
    file.text_attribute("UNIT", "m");
  };
  const auto outcome = compare(build, build);
  CAPTURE(outcome.text);
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.text, "timeseries: rms 0.000e+00  max 0.000e+00  max|ref| 6.000e+00"));
  CHECK(contains(outcome.text, "NaN 1 / 1, pattern differs at 0"));
  CHECK(contains(outcome.text, "date: equal texts"));
  CHECK(contains(outcome.text, "none: empty in both"));
  CHECK(contains(outcome.text, "equal within 1e-05"));
}

TEST_CASE("the tolerance is on rms over the largest reference") {
  const auto off_by = [](float difference) {
    return [difference](H5Build& file) {
      auto values = series;
      values[0] += difference;
      file.floats("timeseries", {2, 2, 2}, values);
    };
  };
  // One of seven finite values is off: rms = d / sqrt(7), relative to 6.
  CHECK(compare(build_series, off_by(1e-4F)).code == 0);
  CHECK(compare(build_series, off_by(1e-3F)).code == 1);
  CompareOptions loose;
  loose.tolerance = 1e-3;
  const auto outcome = compare(build_series, off_by(1e-3F), loose);
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.text, "rms 3.780e-04  max 1.000e-03"));
  CHECK(contains(outcome.text, "rms/max|ref| 6.30e-05"));
}

TEST_CASE("another NaN pattern, shape, text or a missing dataset is a difference") {
  auto values = series;
  values[7] = 7;
  CHECK(compare(build_series, [&](H5Build& f) { f.floats("timeseries", {2, 2, 2}, values); }).code == 1);
  auto outcome = compare(build_series, [&](H5Build& f) { f.floats("timeseries", {2, 4}, values); });
  CHECK(contains(outcome.text, "shape 2 x 2 x 2 / 2 x 4   FAIL"));
  outcome = compare(build_series, [](H5Build&) {});
  CHECK(contains(outcome.text, "different: timeseries"));
  outcome = compare(
      [](H5Build& f) {
        f.strings("date", {2}, 3, {"abc", "abd"});
      },
      [](H5Build& f) {
        f.strings("date", {2}, 3, {"abc", "abe"});
      });
  CHECK(outcome.code == 1);
  CHECK(contains(outcome.text, "text 1 is 'abd' / 'abe'"));
}

TEST_CASE("attributes and additional datasets are reported and do not count") {
  const auto outcome = compare(
      [](H5Build& f) {
        build_series(f);
        f.text_attribute("UNIT", "m");
      },
      [](H5Build& f) {
        build_series(f);
        f.text_attribute("UNIT", "cm");
        f.text_attribute("NEW", "1");
        f.text_attribute("note", "x", "/timeseries");
        f.floats("more", {1}, {1});
      });
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.text, "attribute UNIT: 'm' / 'cm'"));
  CHECK(contains(outcome.text, "attribute NEW: absent / '1'"));
  CHECK(contains(outcome.text, "attribute timeseries/note: absent / 'x'"));
  CHECK(contains(outcome.text, "more: only in "));
}

TEST_CASE("pixels that change side of a coherence threshold are counted") {
  CompareOptions options;
  options.mask_at = 0.7;
  options.tolerance = 1;
  const auto outcome = compare(
      [](H5Build& f) {
        f.floats("temporalCoherence", {2, 2}, {0.7F, 0.69F, 0.9F, 0.1F});
      },
      [](H5Build& f) {
        f.floats("temporalCoherence", {2, 2}, {0.69F, 0.7F, 0.8F, 0.1F});
      },
      options);
  CHECK(contains(outcome.text, "temporalCoherence: 2 pixels change side of 0.7"));
  CHECK(contains(error_of([&] { compare(build_series, build_series, options); }), "--mask-at needs"));
}

TEST_CASE("images larger than a block are compared whole") {
  constexpr hsize_t rows = 2100;
  constexpr hsize_t cols = 2100;
  std::vector<float> values(rows * cols, 1);
  const auto whole = [&](H5Build& f) { f.floats("mask", {rows, cols}, values); };
  auto other = values;
  other.back() = 1000;
  const auto outcome = compare(whole, [&](H5Build& f) { f.floats("mask", {rows, cols}, other); });
  CHECK(outcome.code == 1);
  CHECK(contains(outcome.text, "max 9.990e+02"));
}

TEST_CASE("infinities are a pattern, not a number") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Difference difference;
  const std::vector<double> a = {inf, inf, 1, inf};
  const std::vector<double> b = {inf, -inf, 1, 2};
  difference.add(a, b);
  CHECK(difference.pattern == 2);
  CHECK(difference.compared == 1);
  CHECK(difference.rms() == 0);
}

TEST_CASE("a difference from all zeros is infinitely large") {
  Difference difference;
  const std::vector<double> a = {0};
  const std::vector<double> b = {1};
  difference.add(a, b);
  CHECK(std::isinf(difference.relative_rms()));
}
