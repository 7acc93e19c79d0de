// Element: how one stored number is laid out, and its conversion to native float32.
#pragma once

#include <cstddef>
#include <cstdint>

namespace outcrop::io::codec {

enum class ElementKind { floating, signed_integer, unsigned_integer };

struct Element {
  ElementKind kind = ElementKind::floating;
  int size_bytes = 4;  ///< floating: 2, 4, 8; integers: 1, 2, 4, 8
  bool big_endian = false;

  /// Stored bytes are native float32 already.
  bool is_native_float() const;
};

/// Whether convert() knows it.
bool is_convertible(const Element& element);

/// `in` [count] stored elements, no alignment needed, to `out` [count] float32, rounded to nearest; values beyond
/// float32 become infinite. Expects: is_convertible(element), no overlap.
void convert(const Element& element, const std::byte* in, float* out, std::int64_t count);

}  // namespace outcrop::io::codec
