#include "gpu/part_times.hpp"

#include <algorithm>
#include <utility>

namespace outcrop::gpu {
namespace {

/// In a trace the queues of the device stand below the threads of the host.
constexpr int first_queue_number = 1000;

/// As reports and traces call them.
constexpr const char* part_names[] = {"copy_in", "solve", "copy_out"};

}  // namespace

void PartTimes::note(const Program& program, Slot& slot, const DeviceSlot& device) {
  std::int64_t of_planes = program.bytes_in(slot);
  for (std::size_t i = 0; i < device.num_batches; ++i) of_planes -= device.batches[i].bytes;
  note(slot, device, copying_in, *device.begun, *device.copied_in, of_planes);
  for (std::size_t i = 0; i < device.num_batches; ++i) {
    const BatchMarks& marks = device.batches[i];
    note(slot, device, copying_in, *marks.begun, *marks.copied, marks.bytes);
    note(slot, device, solving, *marks.copied, *marks.solved, 0);
  }
  if (device.num_batches == 0) note(slot, device, solving, *device.copied_in, *device.solved, 0);
  note(slot, device, copying_out, *device.solved, *device.copied_out, program.bytes_out(slot));
}

void PartTimes::note(Slot& slot, const DeviceSlot& device, Part part, const Event& from, const Event& to,
                     std::int64_t bytes) {
  const double start_s = from.reached_s();
  for (const auto& [begin_s, end_s] : claimed_[part].claim(start_s, std::max(start_s, to.reached_s()))) {
    slot.spans.push_back({part_names[part], slot.tile, first_queue_number + device.queue->number(), begin_s, end_s, 0,
                          std::exchange(bytes, 0)});
  }
}

}  // namespace outcrop::gpu
