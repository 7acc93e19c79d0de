// DeviceTables: the tables of a program, which are the same for all tiles, packed and copied to the device once.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/memory.hpp"
#include "gpu/runtime.hpp"

namespace outcrop::gpu {

class DeviceTables {
 public:
  /// Packs a table, a vector or an array. `pointer` is set by upload() and must still exist then; null for an empty
  /// table.
  template <class Values, class T>
  void add(const Values& values, const T*& pointer) {
    pointer = nullptr;
    if (values.empty()) return;
    const std::size_t offset = packed_.size();
    const std::size_t size = values.size() * sizeof(T);
    packed_.resize((offset + size + alignment - 1) / alignment * alignment);
    std::memcpy(packed_.data() + offset, values.data(), size);
    setters_.push_back(
        [offset, &pointer](const std::byte* begin) { pointer = reinterpret_cast<const T*>(begin + offset); });
  }

  std::int64_t bytes() const { return static_cast<std::int64_t>(packed_.size()); }

  /// Copies all tables and sets their pointers. Waits. Throws what allocations and copies throw.
  void upload(const std::shared_ptr<Runtime>& runtime, Stream& stream) {
    if (packed_.empty()) return;
    device_ = DeviceBuffer(runtime, bytes(), "tables");
    copy_in_now(*runtime, stream, device_.data(), packed_.data(), bytes());
    for (const auto& set : setters_) set(device_.data());
  }

 private:
  static constexpr std::size_t alignment = 256;

  std::vector<std::byte> packed_;
  std::vector<std::function<void(const std::byte*)>> setters_;
  DeviceBuffer device_;
};

}  // namespace outcrop::gpu
