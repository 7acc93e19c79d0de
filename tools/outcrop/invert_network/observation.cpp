#include "tools/outcrop/invert_network/observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

namespace outcrop::tools {
namespace {

using io::mintpy::Stack;

constexpr double mean_earth_radius_m = 6371008.8;

double positive(const Stack& stack, const char* name, const std::string& why) {
  const auto value = stack.attributes.number(name);
  if (value && *value > 0) return *value;
  fail(Errc::input, fmt::format("{} has {} attribute {}, which {}; set it with MintPy's add_attribute.py", stack.path,
                                value ? fmt::format("{} as", *value) : "no", name, why));
}

double metres_per_radian(const Stack& stack, Log& log) {
  const double wavelength_m = positive(stack, "WAVELENGTH", "in metres turns phase into displacement");
  if (wavelength_m < 0.01 || wavelength_m > 20) {
    log.warn(
        fmt::format("{}: WAVELENGTH is {} m; radars that map the ground have 0.01 to 20 m", stack.path, wavelength_m));
  }
  return -wavelength_m / (4 * M_PI);
}

std::string processor_of(const Stack& stack) {
  const auto name = stack.attributes.get("PROCESSOR");
  return lower_case(name ? *name : stack.attributes.get("INSAR_PROCESSOR").value_or("mintpy"));
}

/// Metres on the ground that a pixel moves in azimuth. ISCE and ROI_PAC give the pixel size on the orbit.
double metres_per_azimuth_pixel(const Stack& stack, DeviationCounts& deviations, Log& log) {
  const std::string why = "turns azimuth offsets into displacement";
  double metres = positive(stack, "AZIMUTH_PIXEL_SIZE", why) / positive(stack, "ALOOKS", why);
  const std::string processor = processor_of(stack);
  const bool on_orbit = processor == "isce" || processor == "roipac";
  if (on_orbit) {
    const double radius_m = stack.attributes.number("EARTH_RADIUS").value_or(mean_earth_radius_m);
    metres *= radius_m / (radius_m + positive(stack, "HEIGHT", "brings azimuth offsets from the orbit to the ground"));
  } else if (processor != "gamma") {
    log.info(
        fmt::format("{}: azimuth pixels of the processor {} are taken as sizes on the ground", stack.path, processor));
  }
  if (stack.attributes.get("Y_FIRST")) {
    ++deviations[deviation::geocoded_azimuth];
    log.warn(
        fmt::format("{} is geocoded: its azimuth offsets become metres by the pixel size in radar geometry "
                    "(AZIMUTH_PIXEL_SIZE); check that the attribute still has it",
                    stack.path));
  }
  return metres;
}

}  // namespace

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_ion_stack(const std::string& path) {
  return std::filesystem::path(path).filename().string().starts_with("ion");
}

Observation observation_of(const std::string& dataset) {
  Observation observation;
  observation.dataset = dataset;
  const std::string lower = lower_case(dataset);
  observation.zero_is_data = lower.find("phase") == std::string::npos;
  if (dataset.starts_with("unwrapPhase") || dataset.starts_with("ion")) return observation;
  if (lower.find("offset") == std::string::npos) {
    fail(Errc::usage,
         fmt::format("--dset {}: an observation begins with unwrapPhase or ion, or has offset in its name", dataset));
  }
  observation.measured = dataset.starts_with("azimuthOffset") ? Measured::azimuth
                         : dataset.starts_with("rangeOffset") ? Measured::range
                                                              : Measured::other_offset;
  return observation;
}

double metres_per_unit(const Observation& observation, const Stack& stack, DeviationCounts& deviations, Log& log) {
  if (!observation.is_offset()) return metres_per_radian(stack, log);
  if (processor_of(stack) == "cosicorr") {
    log.info(fmt::format("{}: offsets of COSI-Corr are metres already", stack.path));
    return 1;
  }
  if (observation.measured == Measured::azimuth) return metres_per_azimuth_pixel(stack, deviations, log);
  const std::string why = "turns range offsets into displacement";
  if (observation.measured == Measured::range) {
    return -positive(stack, "RANGE_PIXEL_SIZE", why) / positive(stack, "RLOOKS", why);
  }
  fail(Errc::usage,
       fmt::format("--dset {}: whether its pixels lie along range or azimuth is not known; the name should begin "
                   "with rangeOffset or azimuthOffset",
                   observation.dataset));
}

}  // namespace outcrop::tools
