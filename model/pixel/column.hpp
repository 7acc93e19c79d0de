// Columns: what the numbers of one pixel lie in. Bodies take any type that gives element i as column[i] and is cheap to
// copy: a pointer on the host; on a device elements that lie apart, so that neighbouring threads touch neighbouring
// memory.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/host_device.hpp"

namespace outcrop::model::pixel {

/// The number (or pack of numbers) that a column is made of.
template <class Column>
using Element = std::remove_cv_t<std::remove_reference_t<decltype(std::declval<const Column&>()[0])>>;

template <class T>
struct Strided {
  T* first = nullptr;
  std::int64_t stride = 1;

  OUTCROP_HD T& operator[](std::int64_t i) const { return first[i * stride]; }
  OUTCROP_HD Strided operator+(std::int64_t i) const { return {first + i * stride, stride}; }
};

}  // namespace outcrop::model::pixel
