// Converts stored numbers of any common type and byte order to native float32.
#include "io/codec/element.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/check.hpp"

namespace outcrop::io::codec {
namespace {

static_assert(std::endian::native == std::endian::little, "outcrop is written for little-endian machines");

template <int Size>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using type = std::uint8_t;
};
template <>
struct UnsignedOf<2> {
  using type = std::uint16_t;
};
template <>
struct UnsignedOf<4> {
  using type = std::uint32_t;
};
template <>
struct UnsignedOf<8> {
  using type = std::uint64_t;
};

inline std::uint8_t swapped(std::uint8_t v) { return v; }
inline std::uint16_t swapped(std::uint16_t v) { return __builtin_bswap16(v); }
inline std::uint32_t swapped(std::uint32_t v) { return __builtin_bswap32(v); }
inline std::uint64_t swapped(std::uint64_t v) { return __builtin_bswap64(v); }

/// IEEE 754 binary16.
struct Half {
  std::uint16_t bits;
};

float to_float(Half half) {
  const int exponent = (half.bits >> 10) & 0x1f;
  const int fraction = half.bits & 0x3ff;
  const float sign = (half.bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 0x1f) {
    return fraction != 0 ? std::numeric_limits<float>::quiet_NaN() : sign * std::numeric_limits<float>::infinity();
  }
  const int significand = exponent == 0 ? fraction : fraction | 0x400;
  return sign * std::ldexp(static_cast<float>(significand), (exponent == 0 ? 1 : exponent) - 25);
}

template <class T>
float to_float(T value) {
  return static_cast<float>(value);
}

template <class T, bool Swap>
void convert_all(const std::byte* in, float* out, std::int64_t count) {
  using Bits = typename UnsignedOf<static_cast<int>(sizeof(T))>::type;
  for (std::int64_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, in + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    if constexpr (Swap) bits = swapped(bits);
    out[i] = to_float(std::bit_cast<T>(bits));
  }
}

using Converter = void (*)(const std::byte*, float*, std::int64_t);

template <class T>
Converter in_order(const Element& element) {
  return element.big_endian && sizeof(T) > 1 ? &convert_all<T, true> : &convert_all<T, false>;
}

/// nullptr for an element we do not know.
Converter converter(const Element& element) {
  const bool is_signed = element.kind == ElementKind::signed_integer;
  if (element.kind == ElementKind::floating) {
    switch (element.size_bytes) {
      case 2:
        return in_order<Half>(element);
      case 4:
        return in_order<float>(element);
      case 8:
        return in_order<double>(element);
      default:
        return nullptr;
    }
  }
  switch (element.size_bytes) {
    case 1:
      return is_signed ? in_order<std::int8_t>(element) : in_order<std::uint8_t>(element);
    case 2:
      return is_signed ? in_order<std::int16_t>(element) : in_order<std::uint16_t>(element);
    case 4:
      return is_signed ? in_order<std::int32_t>(element) : in_order<std::uint32_t>(element);
    case 8:
      return is_signed ? in_order<std::int64_t>(element) : in_order<std::uint64_t>(element);
    default:
      return nullptr;
  }
}

}  // namespace

bool Element::is_native_float() const { return kind == ElementKind::floating && size_bytes == 4 && !big_endian; }

bool is_convertible(const Element& element) { return converter(element) != nullptr; }

void convert(const Element& element, const std::byte* in, float* out, std::int64_t count) {
  if (element.is_native_float()) {
    if (count > 0) std::memcpy(out, in, static_cast<std::size_t>(count) * sizeof(float));
    return;
  }
  const Converter all = converter(element);
  OUTCROP_EXPECT(all != nullptr, "a number type that has no conversion reached the decoder");
  all(in, out, count);
}

}  // namespace outcrop::io::codec
