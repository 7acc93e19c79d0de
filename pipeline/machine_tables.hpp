// The tables [[kernel]] and [[device]] of a machine file, from TOML and to it.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <vector>

#include "pipeline/device_rates.hpp"

namespace outcrop::pipeline {

/// "m.toml line 4: scene.Q".
std::string place_of(const std::string& file, const toml::node& node, const std::string& key);

/// `parent` is the file, or a device with kernels of its own. Throws Errc::usage naming file, line and key.
std::vector<KernelRate> read_kernels(const toml::table& parent, const std::string& file);
std::vector<DeviceRates> read_devices(const toml::table& parent, const std::string& file);

/// Four digits: no rate is known better.
std::string number_text(double value);

std::string kernels_toml(const std::vector<KernelRate>& kernels, const std::string& header);
std::string devices_toml(const std::vector<DeviceRates>& devices);

}  // namespace outcrop::pipeline
