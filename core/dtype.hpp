// DType: the element types outcrop handles, and their C++ types and sizes.
#pragma once

#include <cstdint>

namespace outcrop {

enum class DType { f32, u8 };

constexpr std::int64_t size_bytes(DType type) { return type == DType::f32 ? 4 : 1; }

template <class T>
struct DTypeOf;
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::f32;
};
template <>
struct DTypeOf<std::uint8_t> {
  static constexpr DType value = DType::u8;
};

}  // namespace outcrop
