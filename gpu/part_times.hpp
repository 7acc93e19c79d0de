// PartTimes: when the parts of a device that work at the same time, copies in, kernels and copies out, worked for a
// slot.
#pragma once

#include "gpu/claimed_time.hpp"
#include "gpu/program.hpp"
#include "gpu/slot.hpp"

namespace outcrop::gpu {

/// For one thread.
class PartTimes {
 public:
  /// Adds to the slot's spans what its tile took of each part, without the time in which it waited for another slot to
  /// be through with it. Expects: the tile has been copied out.
  void note(const Program& program, Slot& slot, const DeviceSlot& device);

 private:
  enum Part : int { copying_in, solving, copying_out, num_parts };

  void note(Slot& slot, const DeviceSlot& device, Part part, const Event& from, const Event& to, std::int64_t bytes);

  ClaimedTime claimed_[num_parts];
};

}  // namespace outcrop::gpu
