// DeviceSlot: what a slot of the pipeline has on the device's side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/slot.hpp"
#include "gpu/memory.hpp"
#include "gpu/queue.hpp"

namespace outcrop::gpu {

/// Steps of a chain at most: so many times a slot has room for findings.
inline constexpr int most_steps = 2;

/// Where a stream is with a batch whose design matrices the host has formed.
struct BatchMarks {
  std::unique_ptr<Event> begun;
  std::unique_ptr<Event> copied;
  std::unique_ptr<Event> solved;
  std::int64_t bytes = 0;  ///< copied
};

class DeviceSlot final : public SlotCompanion {
 public:
  /// Throws: Errc::out_of_memory. `warn` is told when host memory could not be pinned.
  DeviceSlot(std::shared_ptr<Runtime> its_runtime, std::shared_ptr<Queue> its_queue, const SlotLayout& layout,
             const Warn& warn);

  /// Of the device alone.
  static std::int64_t device_bytes(const SlotLayout& layout);
  static std::int64_t host_bytes(const SlotLayout& layout);

  /// A plane on the device, rows pixel_capacity() apart; null for the index -1.
  template <class T>
  T* plane(const SlotLayout& layout, int index) const {
    if (index < 0) return nullptr;
    return reinterpret_cast<T*>(device.data() + layout.planes()[static_cast<std::size_t>(index)].offset_bytes);
  }

  /// [pixel_capacity] bit f: the pixel shows finding f of the step at `place`, which is 0 but for a chain's second.
  std::uint8_t* device_findings(const SlotLayout& layout, int place) const;
  std::uint8_t* host_findings(const SlotLayout& layout, int place) const;

  /// Of the next batch of the tile. Throws: Errc::device.
  BatchMarks& next_batch(std::int64_t bytes);

  std::shared_ptr<Runtime> runtime;
  std::shared_ptr<Queue> queue;
  PinnedBuffer host;    ///< the slot's memory, then the findings
  DeviceBuffer device;  ///< the planes, then the findings
  std::unique_ptr<Event> begun;
  std::unique_ptr<Event> copied_in;
  std::unique_ptr<Event> solved;
  std::unique_ptr<Event> copied_out;
  std::vector<BatchMarks> batches;
  std::size_t num_batches = 0;  ///< of these, that the tile has had
};

}  // namespace outcrop::gpu
