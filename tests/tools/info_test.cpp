// What `outcrop info` says about files of every kind.
#include "tools/outcrop/info/info.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/error_text.hpp"
#include "tests/support/h5_build.hpp"
#include "tests/support/stack_build.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;
using test::contains;
using test::H5Build;
using test::TempFolder;
using tools::InfoReport;

namespace {

InfoReport info_of(const std::string& path) {
  Log log(Verbosity::quiet);
  return tools::make_info(path, std::nullopt, log);
}

std::vector<std::string> titles_of(const InfoReport& report) {
  std::vector<std::string> titles;
  for (const auto& section : report.more) titles.push_back(section.title);
  return titles;
}

nlohmann::json json_of(const InfoReport& report) {
  std::ostringstream out;
  print_json(report, out);
  return nlohmann::json::parse(out.str());
}

std::string text_of(const InfoReport& report) {
  std::ostringstream out;
  print_text(report, out);
  return out.str();
}

/// A series of two dates, [2, 3, 4], or its covariance, [2, 2, 3, 4].
std::string write_series(const TempFolder& folder, const std::vector<hsize_t>& shape) {
  auto path = folder.file("timeseries.h5");
  H5Build file(path);
  hsize_t count = 1;
  for (const hsize_t size : shape) count *= size;
  file.floats("timeseries", shape, std::vector<float>(count, 1));
  file.strings("date", {2}, 8, {"20200101", "20200113"});
  file.text_attribute("FILE_TYPE", "timeseries");
  file.text_attribute("WIDTH", "4");
  return path;
}

}  // namespace

TEST_CASE("of a stack the network is told and what the inversion would use") {
  const TempFolder folder;
  const auto path = folder.file("ifgramStack.h5");
  test::StackBuild build;
  build.keep = {1, 1, 0};
  build.phases().write(path);
  const auto json = json_of(info_of(path));
  CHECK(json["file"]["kind"] == "ifgramStack");
  CHECK(json["network"]["pairs"] == 3);
  CHECK(json["network"]["pairs_kept"] == 2);
  CHECK(json["network"]["islands"] == 1);
  CHECK(json["invert-network"]["observation"] == "unwrapPhase");
  CHECK(json["invert-network"]["image"] == "2 x 3");
}

TEST_CASE("why a stack would be refused is told") {
  const TempFolder folder;
  const auto path = folder.file("ifgramStack.h5");
  test::StackBuild build;
  build.attributes.erase("REF_Y");
  build.phases().write(path);
  CHECK(contains(text_of(info_of(path)), "No REF_X/Y found!"));
}

TEST_CASE("of a series its dates are told and what is missing without a geometry file") {
  const TempFolder folder;
  const auto report = info_of(write_series(folder, {2, 3, 4}));
  CHECK(titles_of(report) == std::vector<std::string>{"correct-topography"});
  const auto json = json_of(report);
  CHECK(json["correct-topography"]["dates"] == 2);
  CHECK(json["correct-topography"]["reference_date"] == "20200101");
  CHECK(contains(text_of(report), "STARTING_RANGE"));
}

TEST_CASE("the covariance of a series is no series to correct") {
  const TempFolder folder;
  const auto report = info_of(write_series(folder, {2, 2, 3, 4}));
  CHECK(titles_of(report).empty());
  CHECK(json_of(report)["datasets"][1]["shape"] == std::vector<int>{2, 2, 3, 4});
}

TEST_CASE("of a geometry file it is told which values are of each pixel") {
  const TempFolder folder;
  const auto path = folder.file("geometryRadar.h5");
  {
    H5Build file(path);
    file.floats("height", {3, 4}, std::vector<float>(12, 1));
    file.floats("incidenceAngle", {3, 4}, std::vector<float>(12, 34));
    file.text_attribute("WIDTH", "4");
  }
  const auto json = json_of(info_of(path));
  CHECK(json["file"]["kind"] == "geometry");
  CHECK(json["correct-topography"]["geometry"] == "one value a pixel");
  CHECK(json["correct-topography"]["slantRangeDistance"] == "none");
}

TEST_CASE("a file that is no HDF5 is refused with its name") {
  const TempFolder folder;
  test::write_bytes(folder.file("notes.h5"), "some notes");
  CHECK(contains(test::error_of([&] { info_of(folder.file("notes.h5")); }), "notes.h5"));
}
