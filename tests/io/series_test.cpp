// Time series and geometry files: what a good one holds, and the sentence for each that contradicts itself.
#include "io/mintpy/series.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "tests/support/error_text.hpp"
#include "tests/support/h5_build.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop::io::mintpy;
using outcrop::test::contains;
using outcrop::test::error_of;
using outcrop::test::H5Build;
using outcrop::test::TempFolder;

namespace {

const std::vector<std::string> dates = {"20200101", "20200113"};

void add_image(H5Build& file, const std::string& name, const std::vector<hsize_t>& shape) {
  hsize_t count = 1;
  for (const hsize_t size : shape) count *= size;
  file.floats(name, shape, std::vector<float>(count, 1));
}

/// Runs `use` on a file that `build` has made.
template <class Use>
auto with_file(const std::function<void(H5Build&)>& build, const Use& use) {
  const TempFolder folder;
  const auto path = folder.file("file.h5");
  {
    H5Build file(path);
    build(file);
  }
  return use(path);
}

Series series_of(const std::function<void(H5Build&)>& build) { return with_file(build, read_series); }

std::string refusal(const std::function<void(H5Build&)>& build) {
  return with_file(build, [](const std::string& path) {
    auto text = error_of([&] { read_series(path); });
    CHECK(contains(text, path));
    return text;
  });
}

std::string geometry_refusal(const std::function<void(H5Build&)>& build) {
  return with_file(build, [](const std::string& path) { return error_of([&] { read_geometry(path); }); });
}

}  // namespace

TEST_CASE("a whole series is read as it is in the file") {
  const Series series = series_of([](H5Build& file) {
    add_image(file, "timeseries", {2, 3, 4});
    file.strings("date", {2}, 8, {"20200113", "20200101"});
    file.floats("bperp", {2}, {0, -20.5F});
    add_image(file, "mask", {3, 4});
    add_image(file, "weights", {7});
    file.text_attribute("REF_DATE", "20200101");
  });
  CHECK(series.rows == 3);
  CHECK(series.cols == 4);
  CHECK(series.dates == std::vector<std::string>{"20200113", "20200101"});
  CHECK(series.bperp_m == std::vector<double>{0, -20.5});
  CHECK(series.attributes.get("REF_DATE") == "20200101");
  REQUIRE(series.other.size() == 4);
  CHECK(series.other[0].name == "bperp");
  CHECK(series.other[2].name == "mask");
  CHECK(series.other[2].is_image);
  CHECK_FALSE(series.other[3].is_image);
}

TEST_CASE("baselines may be absent") {
  const Series series = series_of([](H5Build& file) {
    add_image(file, "timeseries", {2, 3, 4});
    file.strings("date", {2}, 8, dates);
  });
  CHECK(series.bperp_m.empty());
}

TEST_CASE("a file without a series or its dates is refused with what it has") {
  CHECK(contains(refusal([](H5Build& file) { add_image(file, "velocity", {3, 4}); }), "velocity"));
  CHECK(contains(refusal([](H5Build& file) { add_image(file, "timeseries", {3, 4}); }), "[3, 4]"));
  CHECK(contains(refusal([](H5Build& file) { add_image(file, "timeseries", {2, 2, 3, 4}); }), "[2, 2, 3, 4]"));
  CHECK(contains(refusal([](H5Build& file) { add_image(file, "timeseries", {2, 3, 4}); }), "date"));
}

TEST_CASE("sizes that contradict each other are refused with both") {
  const auto date_count = refusal([](H5Build& file) {
    add_image(file, "timeseries", {3, 3, 4});
    file.strings("date", {2}, 8, dates);
  });
  CHECK(contains(date_count, "[2]"));
  CHECK(contains(date_count, "3 layers"));
  CHECK(contains(refusal([](H5Build& file) {
                   add_image(file, "timeseries", {2, 3, 4});
                   file.strings("date", {2}, 8, dates);
                   file.floats("bperp", {3}, {0, 1, 2});
                 }),
                 "bperp is [3]"));
  CHECK(contains(refusal([](H5Build& file) {
                   add_image(file, "timeseries", {2, 3, 4});
                   file.strings("date", {2}, 8, dates);
                   file.text_attribute("LENGTH", "30");
                 }),
                 "LENGTH is 30"));
}

TEST_CASE("a date that is there twice, or is none, is refused with it") {
  for (const std::string second : {"20200101", "2020-1-1"}) {
    CHECK(contains(refusal([&](H5Build& file) {
                     add_image(file, "timeseries", {2, 3, 4});
                     file.strings("date", {2}, 8, {"20200101", second});
                   }),
                   second));
  }
}

TEST_CASE("a geometry file tells its datasets, and the dates of its baselines") {
  const auto build = [](H5Build& file) {
    add_image(file, "incidenceAngle", {3, 4});
    add_image(file, "bperp", {2, 3, 4});
    file.strings("date", {2}, 8, dates);
  };
  const Geometry geometry = with_file(build, read_geometry);
  CHECK(geometry.shape_of("incidenceAngle") == std::vector<std::int64_t>{3, 4});
  CHECK(geometry.shape_of("slantRangeDistance").empty());
  CHECK(geometry.bperp_dates == dates);
}

TEST_CASE("baselines of a geometry file without layers or dates are refused") {
  CHECK(contains(geometry_refusal([](H5Build& file) { add_image(file, "bperp", {3, 4}); }), "bperp is [3, 4]"));
  CHECK(contains(geometry_refusal([](H5Build& file) { add_image(file, "bperp", {2, 3, 4}); }), "date"));
}
