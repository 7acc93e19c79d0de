// View: pointer, extents and strides. Owns nothing; the same object on the host and on a device.
// The names follow std::mdspan, which can replace it once the compilers of both sides have it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/check.hpp"
#include "core/host_device.hpp"

namespace outcrop {

template <class T, int Rank>
class View {
 public:
  using element_type = T;

  OUTCROP_HD constexpr View() = default;

  /// Row-major without gaps: the last index is contiguous.
  template <class... Extents, class = std::enable_if_t<sizeof...(Extents) == Rank>>
  OUTCROP_HD constexpr explicit View(T* data, Extents... extents)
      : data_(data), extent_{static_cast<std::int64_t>(extents)...} {
    std::int64_t stride = 1;
    for (int r = Rank - 1; r >= 0; --r) {
      stride_[r] = stride;
      stride *= extent_[r];
    }
  }

  /// A matrix whose rows begin `stride` elements apart.
  OUTCROP_HD static constexpr View strided(T* data, std::int64_t rows, std::int64_t cols, std::int64_t stride) {
    static_assert(Rank == 2);
    View view(data, rows, cols);
    view.stride_[0] = stride;
    return view;
  }

  /// View<float> gives View<const float>.
  OUTCROP_HD constexpr operator View<const T, Rank>() const requires(!std::is_const_v<T>) {
    View<const T, Rank> view;
    view.data_ = data_;
    for (int r = 0; r < Rank; ++r) {
      view.extent_[r] = extent_[r];
      view.stride_[r] = stride_[r];
    }
    return view;
  }

  template <class... Indices>
  OUTCROP_HD constexpr T& operator()(Indices... indices) const {
    static_assert(sizeof...(Indices) == Rank);
    const std::int64_t index[] = {static_cast<std::int64_t>(indices)...};
    std::int64_t at = 0;
    for (int r = 0; r < Rank; ++r) {
#if !defined(__CUDA_ARCH__)
      OUTCROP_ASSERT(index[r] >= 0 && index[r] < extent_[r]);
#endif
      at += index[r] * stride_[r];
    }
    return data_[at];
  }

  OUTCROP_HD constexpr std::int64_t extent(int r) const { return extent_[r]; }
  OUTCROP_HD constexpr std::int64_t stride(int r) const { return stride_[r]; }
  OUTCROP_HD constexpr T* data_handle() const { return data_; }
  OUTCROP_HD constexpr bool empty() const { return data_ == nullptr; }

 private:
  template <class, int>
  friend class View;

  T* data_ = nullptr;
  std::int64_t extent_[Rank] = {};
  std::int64_t stride_[Rank] = {};
};

}  // namespace outcrop
