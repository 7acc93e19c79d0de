// What the name of a dataset says, and how its numbers become metres.
#include "tools/outcrop/invert_network/observation.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/error.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/said.hpp"
#include "tests/support/tolerance.hpp"

using namespace outcrop;
using test::contains;
using test::error_of;
using tools::Measured;
using tools::observation_of;

namespace {

io::mintpy::Stack stack_of(const std::vector<std::pair<std::string, std::string>>& attributes) {
  io::mintpy::Stack stack;
  stack.path = "ifgramStack.h5";
  for (const auto& [name, value] : attributes) stack.attributes.set(name, value);
  return stack;
}

const std::vector<std::pair<std::string, std::string>> usual = {
    {"WAVELENGTH", "0.056"}, {"PROCESSOR", "isce"},      {"AZIMUTH_PIXEL_SIZE", "42"}, {"ALOOKS", "3"},
    {"RLOOKS", "9"},         {"RANGE_PIXEL_SIZE", "18"}, {"EARTH_RADIUS", "6000000"},  {"HEIGHT", "750000"}};

double metres(const std::string& dataset, const io::mintpy::Stack& stack) {
  Log log(Verbosity::quiet);
  tools::DeviationCounts deviations;
  return tools::metres_per_unit(observation_of(dataset), stack, deviations, log);
}

bool near(double a, double b) { return std::abs(a - b) <= test::double_arithmetic * std::abs(b); }

}  // namespace

TEST_CASE("names say what was observed, and whether zero is data") {
  CHECK(observation_of("unwrapPhase_bridging").measured == Measured::phase);
  CHECK_FALSE(observation_of("unwrapPhase_bridging").zero_is_data);
  CHECK(observation_of("ionPhase").measured == Measured::phase);
  CHECK_FALSE(observation_of("ionPhase").zero_is_data);
  CHECK(observation_of("ion").zero_is_data);
  CHECK(observation_of("azimuthOffset_median").measured == Measured::azimuth);
  CHECK(observation_of("rangeOffset").measured == Measured::range);
  CHECK(observation_of("rangeOffset").zero_is_data);
  CHECK(observation_of("denseOFFSETs").measured == Measured::other_offset);
  CHECK(observation_of("rangeOffset").deviation_dataset() == "rangeOffsetStd");
  CHECK(contains(error_of([] { observation_of("coherence"); }), "--dset coherence"));
}

TEST_CASE("pixels and radians become metres by the attributes") {
  const auto stack = stack_of(usual);
  CHECK(near(metres("unwrapPhase", stack), -0.056 / (4 * M_PI)));
  CHECK(near(metres("rangeOffset", stack), -2.0));
  CHECK(near(metres("azimuthOffset", stack), 14.0 * 6000000 / 6750000));
}

TEST_CASE("the size of an azimuth pixel depends on the processor") {
  auto stack = stack_of(usual);
  stack.attributes.set("PROCESSOR", "gamma");
  CHECK(near(metres("azimuthOffset", stack), 14.0));
  stack.attributes.set("PROCESSOR", "cosicorr");
  CHECK(metres("azimuthOffset", stack) == 1);
  CHECK(metres("myOffset", stack) == 1);
  stack.attributes.remove("PROCESSOR");
  stack.attributes.set("INSAR_PROCESSOR", "roipac");
  stack.attributes.remove("EARTH_RADIUS");
  CHECK(near(metres("azimuthOffset", stack), 14.0 * 6371008.8 / (6371008.8 + 750000)));
}

TEST_CASE("azimuth offsets of a geocoded stack are counted as a deviation") {
  auto stack = stack_of(usual);
  stack.attributes.set("Y_FIRST", "35.1");
  tools::DeviationCounts deviations;
  const auto said = test::said_by([&] {
    Log log(Verbosity::quiet);
    CHECK(near(tools::metres_per_unit(observation_of("azimuthOffset"), stack, deviations, log),
               14.0 * 6000000 / 6750000));
  });
  CHECK(deviations == tools::DeviationCounts{{tools::deviation::geocoded_azimuth, 1}});
  CHECK(contains(said, "geocoded"));
}

TEST_CASE("what is missing or wrong is named") {
  for (const auto& missing : {std::pair("unwrapPhase", "WAVELENGTH"), std::pair("rangeOffset", "RANGE_PIXEL_SIZE"),
                              std::pair("rangeOffset", "RLOOKS"), std::pair("azimuthOffset", "AZIMUTH_PIXEL_SIZE"),
                              std::pair("azimuthOffset", "ALOOKS"), std::pair("azimuthOffset", "HEIGHT")}) {
    const char* const dataset = missing.first;
    const char* const name = missing.second;
    CAPTURE(name);
    auto stack = stack_of(usual);
    stack.attributes.remove(name);
    CHECK(contains(error_of([&] { metres(dataset, stack); }), name));
    stack.attributes.set(name, "-3");
    CHECK(contains(error_of([&] { metres(dataset, stack); }), "-3"));
  }
  CHECK(contains(error_of([] { metres("myOffset", stack_of(usual)); }), "rangeOffset or azimuthOffset"));
}

TEST_CASE("an implausible wavelength is used with a warning") {
  auto stack = stack_of(usual);
  stack.attributes.set("WAVELENGTH", "56");
  CHECK(contains(test::said_by([&] { metres("unwrapPhase", stack); }), "WAVELENGTH is 56 m"));
}
