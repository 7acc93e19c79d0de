// DeviceStart: a device that --device names starts on a thread of its own while its command still reads headers and
// first tiles. To open the driver, its libraries and a context takes tenths of a second.
#pragma once

#include <future>
#include <memory>
#include <string>

#include "gpu/runtime.hpp"
#include "gpu/sim/options.hpp"

namespace outcrop::gpu {

/// For one thread. The destructor waits for what has begun.
class DeviceStart {
 public:
  /// Begins to open the device `name` of --device: none of auto and cpu, nor one that takes no time to start, nor any
  /// where the system gives no thread for it. sim: what the simulated device is like.
  DeviceStart(std::string name, const sim::Options& sim);

  /// The device has begun to start and has not said yet what came of it.
  bool under_way() const;

  /// The device of that name: the one that has begun to start, once it has, else one that is opened now. Throws what
  /// open_device() throws.
  std::shared_ptr<Runtime> open(const std::string& name) const;

 private:
  std::string name_;
  sim::Options sim_;
  std::shared_future<std::shared_ptr<Runtime>> begun_;  ///< empty: nothing has begun
};

}  // namespace outcrop::gpu
