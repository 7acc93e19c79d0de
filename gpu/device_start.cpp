#include "gpu/device_start.hpp"

#include <chrono>
#include <system_error>
#include <utility>

#include "gpu/device.hpp"

namespace outcrop::gpu {

DeviceStart::DeviceStart(std::string name, const sim::Options& sim) : name_(std::move(name)), sim_(sim) {
  const bool at_once = name_ == "sim" && sim_.start_s == 0;
  if (name_ == "auto" || name_ == "cpu" || at_once) return;
  try {
    begun_ = std::async(std::launch::async, [name = name_, sim] { return open_device(name, sim); }).share();
  } catch (const std::system_error&) {
    // No thread can be made: open() opens the device.
    begun_ = {};
  }
}

bool DeviceStart::under_way() const {
  return begun_.valid() && begun_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

std::shared_ptr<Runtime> DeviceStart::open(const std::string& name) const {
  return begun_.valid() && name == name_ ? begun_.get() : open_device(name, sim_);
}

}  // namespace outcrop::gpu
