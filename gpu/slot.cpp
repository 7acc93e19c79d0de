#include "gpu/slot.hpp"

namespace outcrop::gpu {

DeviceSlot::DeviceSlot(std::shared_ptr<Runtime> its_runtime, std::shared_ptr<Queue> its_queue, const SlotLayout& layout,
                       const Warn& warn)
    : runtime(std::move(its_runtime)),
      queue(std::move(its_queue)),
      host(runtime, host_bytes(layout), warn),
      device(runtime, device_bytes(layout), "a slot"),
      begun(runtime->make_event()),
      copied_in(runtime->make_event()),
      solved(runtime->make_event()),
      copied_out(runtime->make_event()) {}

BatchMarks& DeviceSlot::next_batch(std::int64_t bytes) {
  if (num_batches == batches.size()) {
    batches.push_back({runtime->make_event(), runtime->make_event(), runtime->make_event(), 0});
  }
  BatchMarks& marks = batches[num_batches++];
  marks.bytes = bytes;
  return marks;
}

std::int64_t DeviceSlot::device_bytes(const SlotLayout& layout) {
  return allocated_bytes(layout.raw_offset() + most_steps * layout.pixel_capacity());
}

std::int64_t DeviceSlot::host_bytes(const SlotLayout& layout) {
  return layout.total_bytes() + most_steps * layout.pixel_capacity();
}

std::uint8_t* DeviceSlot::device_findings(const SlotLayout& layout, int place) const {
  return reinterpret_cast<std::uint8_t*>(device.data() + layout.raw_offset()) + place * layout.pixel_capacity();
}

std::uint8_t* DeviceSlot::host_findings(const SlotLayout& layout, int place) const {
  return reinterpret_cast<std::uint8_t*>(host.data() + layout.total_bytes()) + place * layout.pixel_capacity();
}

}  // namespace outcrop::gpu
