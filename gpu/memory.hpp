// Owners of memory that a runtime gave: of the device, and of the host where the device copies from it by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/slot.hpp"
#include "gpu/runtime.hpp"

namespace outcrop::gpu {

/// What an allocation of so many bytes takes of a device: memory comes in pieces.
inline std::int64_t allocated_bytes(std::int64_t bytes) {
  constexpr std::int64_t piece = 256;
  return (bytes + piece - 1) / piece * piece;
}

/// What the backend tells the user of.
using Warn = std::function<void(const std::string&)>;

/// Move-only.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// Throws: Errc::out_of_memory with the bytes and `purpose`.
  DeviceBuffer(std::shared_ptr<Runtime> runtime, std::int64_t bytes, const char* purpose);
  ~DeviceBuffer() { reset(); }
  DeviceBuffer(DeviceBuffer&& other) noexcept { *this = std::move(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;

  std::byte* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }
  void reset() noexcept;

 private:
  std::shared_ptr<Runtime> runtime_;
  std::byte* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

/// Move-only. Pageable where the system or the driver refuses to pin: copies are slower then and hold their caller up.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  /// `warn` is told when the memory could not be pinned. Throws: Errc::out_of_memory when there is no memory at all.
  PinnedBuffer(std::shared_ptr<Runtime> runtime, std::int64_t bytes, const Warn& warn);
  ~PinnedBuffer() { reset(); }
  PinnedBuffer(PinnedBuffer&& other) noexcept { *this = std::move(other); }
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept;

  std::byte* data() const { return pinned_ != nullptr ? pinned_ : pageable_.get(); }
  void reset() noexcept;

 private:
  std::shared_ptr<Runtime> runtime_;
  std::byte* pinned_ = nullptr;
  SlotMemory pageable_{nullptr, [](std::byte*) {}};
};

/// Copies `bytes` bytes to the device and returns when they are there: before the first tile, from memory that need not
/// last. Throws: Errc::device.
void copy_in_now(Runtime& runtime, Stream& stream, std::byte* device, const std::byte* host, std::int64_t bytes);

}  // namespace outcrop::gpu
