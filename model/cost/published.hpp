// What the published page of the speedup model adds to its formula: a lookup table, and a measured effect of storage.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "model/cost/speedup.hpp"

namespace outcrop::model {

/// A line of the table "when does the device pay off", for the DEM error on an RTX 5080 with a local SSD.
struct LookupRange {
  double from_pixels = 0;
  double below_pixels = std::numeric_limits<double>::infinity();
  double lowest_sigma = 0;
  double highest_sigma = 0;
};

std::span<const LookupRange> lookup_table();

/// The line that holds the number of pixels. Throws Errc::usage unless it is at least 1.
const LookupRange& lookup(std::int64_t pixels);

/// How much longer host and device take on another storage than on the one of the coefficients: ratios measured on one
/// scene. They hold for that scene; elsewhere they are a guess.
struct StorageModifier {
  std::string name;
  double host_factor = 1;
  double device_factor = 1;

  /// What sigma is multiplied with.
  double sigma_factor() const { return host_factor / device_factor; }
};

/// From the times of one scene on the storage of the coefficients ("here") and on another ("there"), in seconds.
/// Throws Errc::usage naming the storage unless all four are positive numbers.
StorageModifier make_storage_modifier(std::string name, double host_here_s, double device_here_s, double host_there_s,
                                      double device_there_s);

/// The coefficients on that storage: each of the host's and of the device's times its factor.
SpeedupCoefficients on_storage(const SpeedupCoefficients& c, const StorageModifier& storage);

}  // namespace outcrop::model
