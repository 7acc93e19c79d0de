// Workspace: hands out arrays [length][threads] from a queue's working memory; without memory it only counts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace outcrop::gpu {

class Workspace {
 public:
  explicit Workspace(std::byte* memory = nullptr) : memory_(memory) {}

  template <class T>
  T* take(std::int64_t length, std::int64_t threads) {
    constexpr std::int64_t alignment = 256;
    std::byte* begin = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += (length * threads * static_cast<std::int64_t>(sizeof(T)) + alignment - 1) / alignment * alignment;
    return reinterpret_cast<T*>(begin);
  }

  std::int64_t used() const { return used_; }

 private:
  std::byte* memory_;
  std::int64_t used_ = 0;
};

}  // namespace outcrop::gpu
