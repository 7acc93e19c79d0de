// Looking up kernels and devices of a machine.
#include "pipeline/device_rates.hpp"

#include <algorithm>

#include "model/steps/chain.hpp"

namespace outcrop::pipeline {
namespace {

/// "NVIDIA ..." of "cuda:0 NVIDIA ..."; empty when there is nothing after the first word.
std::string make_of(const std::string& name) {
  const auto blank = name.find(' ');
  return blank == std::string::npos ? "" : name.substr(blank + 1);
}

}  // namespace

const KernelRate* find_kernel(const std::vector<KernelRate>& kernels, const model::Step& part, bool host_assembles) {
  const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const KernelRate& k) {
    return k.step == part.name && k.solver == part.solver && k.host_assembles == host_assembles;
  });
  return found == kernels.end() ? nullptr : &*found;
}

std::optional<double> kernels_s(const std::vector<KernelRate>& kernels, const model::Step& step, bool host_assembles) {
  double seconds = 0;
  for (const model::Step* part : model::steps_of(step)) {
    const KernelRate* const kernel = find_kernel(kernels, *part, host_assembles);
    if (kernel == nullptr) return std::nullopt;
    seconds += kernel->seconds(*part);
  }
  return seconds;
}

const DeviceRates* find_device(const std::vector<DeviceRates>& devices, const std::string& name) {
  const auto find = [&](const auto& fits) {
    const auto found = std::find_if(devices.begin(), devices.end(), fits);
    return found == devices.end() ? nullptr : &*found;
  };
  if (const DeviceRates* const same = find([&](const DeviceRates& d) { return d.name == name; })) return same;
  const std::string make = make_of(name);
  return make.empty() ? nullptr : find([&](const DeviceRates& d) { return make_of(d.name) == make; });
}

std::string device_flag(const std::string& name) { return name.substr(0, name.find(' ')); }

}  // namespace outcrop::pipeline
