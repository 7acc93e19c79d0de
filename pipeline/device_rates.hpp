// DeviceRates: what a machine file says of a device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/kernel_rate.hpp"

namespace outcrop::pipeline {

/// As `outcrop measure --device` finds it. 0: not known.
struct DeviceRates {
  std::string name;    ///< as the backend names it: "cuda:0 NVIDIA ...", "sim"
  double start_s = 0;  ///< until it can be used
  double copy_in_bytes_per_s = 0;
  double copy_out_bytes_per_s = 0;
  double launch_s = 0;              ///< before each kernel
  double assemble_bytes_per_s = 0;  ///< design matrices that the host forms for it, all threads together
  std::vector<KernelRate> kernels;  ///< of the device as a whole
};

/// The rates of the device of that name, else those of another of the same make ("cuda:1 NVIDIA ..."); null when there
/// are none.
const DeviceRates* find_device(const std::vector<DeviceRates>& devices, const std::string& name);

/// "cuda:0" of "cuda:0 NVIDIA ...": what --device calls it.
std::string device_flag(const std::string& name);

}  // namespace outcrop::pipeline
