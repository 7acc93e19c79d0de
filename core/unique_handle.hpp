// UniqueHandle: one move-only owner for every C handle (file descriptors, HDF5 identifiers ...).
#pragma once

#include <utility>

namespace outcrop {

/// `Traits` has `type`, `static type none()` and `static void close(type) noexcept`.
template <class Traits>
class UniqueHandle {
 public:
  using type = typename Traits::type;

  UniqueHandle() = default;
  explicit UniqueHandle(type handle) : handle_(handle) {}
  UniqueHandle(UniqueHandle&& other) noexcept : handle_(other.release()) {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~UniqueHandle() { reset(); }

  type get() const { return handle_; }
  explicit operator bool() const { return handle_ != Traits::none(); }
  type release() { return std::exchange(handle_, Traits::none()); }
  void reset(type handle = Traits::none()) noexcept {
    const type old = std::exchange(handle_, handle);
    if (old != Traits::none()) Traits::close(old);
  }

 private:
  type handle_ = Traits::none();
};

}  // namespace outcrop
