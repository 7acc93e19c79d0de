#include "gpu/memory.hpp"

#include <fmt/format.h>

#include <utility>

namespace outcrop::gpu {

DeviceBuffer::DeviceBuffer(std::shared_ptr<Runtime> runtime, std::int64_t bytes, const char* purpose)
    : runtime_(std::move(runtime)), bytes_(bytes) {
  try {
    data_ = runtime_->allocate_device(bytes);
  } catch (Error& error) {
    throw std::move(error).within(fmt::format("allocating {} bytes of {} for {}", bytes, runtime_->name(), purpose));
  }
}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  if (this == &other) return *this;
  reset();
  runtime_ = std::move(other.runtime_);
  data_ = std::exchange(other.data_, nullptr);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

void DeviceBuffer::reset() noexcept {
  if (data_ != nullptr) runtime_->free_device(data_);
  data_ = nullptr;
  bytes_ = 0;
}

PinnedBuffer::PinnedBuffer(std::shared_ptr<Runtime> runtime, std::int64_t bytes, const Warn& warn)
    : runtime_(std::move(runtime)) {
  try {
    pinned_ = runtime_->allocate_pinned(bytes);
  } catch (const Error& error) {
    if (error.code() != Errc::out_of_memory) throw;
    pageable_ = allocate_host(bytes);
    if (warn) warn(error.what());
  }
}

PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&& other) noexcept {
  if (this == &other) return *this;
  reset();
  runtime_ = std::move(other.runtime_);
  pinned_ = std::exchange(other.pinned_, nullptr);
  pageable_ = std::move(other.pageable_);
  return *this;
}

void PinnedBuffer::reset() noexcept {
  if (pinned_ != nullptr) runtime_->free_pinned(pinned_);
  pinned_ = nullptr;
  pageable_.reset();
}

void copy_in_now(Runtime& runtime, Stream& stream, std::byte* device, const std::byte* host, std::int64_t bytes) {
  const std::unique_ptr<Event> copied = runtime.make_event();
  try {
    stream.copy_in(device, host, {1, bytes, bytes});
    stream.record(*copied);
    copied->wait();
  } catch (...) {
    stream.wait();
    throw;
  }
}

}  // namespace outcrop::gpu
