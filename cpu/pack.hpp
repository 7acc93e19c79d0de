// Pack: W numbers that go through a pixel body together, on the vector extensions of the compiler. Answers what
// model/pixel/lane.hpp asks. Every operation treats each number by itself, so a pixel's bits do not depend on its
// neighbours. Lives in one namespace for each instruction set (OUTCROP_ISA), so that the linker never mixes them.
// A pack wider than a register is two packs of half the width: left to itself the compiler splits it number by number.
#pragma once

#include <cstdint>

#include "cpu/pack_register.hpp"

namespace outcrop::cpu::OUTCROP_ISA {

template <class T, int W>
inline constexpr bool fits_register = static_cast<int>(sizeof(T)) * W <= register_bytes;

/// W elements: one register, or two halves.
template <class T, int W, bool Fits = fits_register<T, W>>
struct Elements {
  Vector<T, W> v;
};
template <class T, int W>
struct Elements<T, W, false> {
  Elements<T, W / 2> low;
  Elements<T, W / 2> high;
};

template <class T, int W>
[[gnu::always_inline]] inline T element(const Elements<T, W>& e, int i) {
  if constexpr (fits_register<T, W>) {
    return e.v[i];
  } else {
    return i < W / 2 ? element<T, W / 2>(e.low, i) : element<T, W / 2>(e.high, i - W / 2);
  }
}

template <class T, int W>
[[gnu::always_inline]] inline void set_element(Elements<T, W>& e, int i, T value) {
  if constexpr (fits_register<T, W>) {
    e.v[i] = value;
  } else if (i < W / 2) {
    set_element<T, W / 2>(e.low, i, value);
  } else {
    set_element<T, W / 2>(e.high, i - W / 2, value);
  }
}

template <class T, int W>
[[gnu::always_inline]] inline Elements<T, W> all_equal(T value) {
  if constexpr (fits_register<T, W>) {
    return {Vector<T, W>{} + value};
  } else {
    return {all_equal<T, W / 2>(value), all_equal<T, W / 2>(value)};
  }
}

/// From and to memory that need not be aligned.
template <class T, int W>
[[gnu::always_inline]] inline Elements<T, W> load_elements(const T* from) {
  if constexpr (fits_register<T, W>) {
    Elements<T, W> e;
    __builtin_memcpy(&e.v, from, sizeof(e.v));
    return e;
  } else {
    return {load_elements<T, W / 2>(from), load_elements<T, W / 2>(from + W / 2)};
  }
}

template <class T, int W>
[[gnu::always_inline]] inline void store_elements(const Elements<T, W>& e, T* to) {
  if constexpr (fits_register<T, W>) {
    __builtin_memcpy(to, &e.v, sizeof(e.v));
  } else {
    store_elements<T, W / 2>(e.low, to);
    store_elements<T, W / 2>(e.high, to + W / 2);
  }
}

/// R is the type of the result's elements; `operation` works on registers.
template <class R, class T, int W, class Operation>
[[gnu::always_inline]] inline Elements<R, W> apply(const Elements<T, W>& a, const Elements<T, W>& b,
                                                   const Operation& operation) {
  if constexpr (fits_register<T, W>) {
    return {operation(a.v, b.v)};
  } else {
    return {apply<R, T, W / 2>(a.low, b.low, operation), apply<R, T, W / 2>(a.high, b.high, operation)};
  }
}

template <class T>
struct SameSizeInteger;
template <>
struct SameSizeInteger<float> {
  using type = std::int32_t;
};
template <>
struct SameSizeInteger<double> {
  using type = std::int64_t;
};

/// Whole numbers of W elements; as a mask all bits of an element are set, or none.
template <class Int, int W>
struct IntegerPack {
  Elements<Int, W> e;
};

template <class Int, int W>
[[gnu::always_inline]] inline IntegerPack<Int, W> operator&(const IntegerPack<Int, W>& a,
                                                            const IntegerPack<Int, W>& b) {
  return {apply<Int, Int, W>(
      a.e, b.e, [](auto x, auto y) __attribute__((always_inline)) { return x & y; })};
}
template <class Int, int W>
[[gnu::always_inline]] inline IntegerPack<Int, W> operator|(const IntegerPack<Int, W>& a,
                                                            const IntegerPack<Int, W>& b) {
  return {apply<Int, Int, W>(
      a.e, b.e, [](auto x, auto y) __attribute__((always_inline)) { return x | y; })};
}
template <class Int, int W>
[[gnu::always_inline]] inline IntegerPack<Int, W> operator~(const IntegerPack<Int, W>& a) {
  return {apply<Int, Int, W>(
      a.e, a.e, [](auto x, auto) __attribute__((always_inline)) { return ~x; })};
}
template <class Int, int W>
[[gnu::always_inline]] inline IntegerPack<Int, W> without(const IntegerPack<Int, W>& mask,
                                                          const IntegerPack<Int, W>& those) {
  return mask & ~those;
}
template <class Int, int W>
[[gnu::always_inline]] inline bool holds(const IntegerPack<Int, W>& mask, int lane) {
  return element<Int, W>(mask.e, lane) != 0;
}
template <class Int, int W>
[[gnu::always_inline]] inline bool any(const IntegerPack<Int, W>& mask) {
  if constexpr (fits_register<Int, W>) {
    return any_bit(mask.e.v);
  } else {
    return any(IntegerPack<Int, W / 2>{mask.e.low} | IntegerPack<Int, W / 2>{mask.e.high});
  }
}

template <class T, int W>
struct Pack {
  using Mask = IntegerPack<typename SameSizeInteger<T>::type, W>;
  Elements<T, W> e;

  Pack() = default;
  [[gnu::always_inline]] explicit Pack(T value) : e(all_equal<T, W>(value)) {}
  [[gnu::always_inline]] explicit Pack(const Elements<T, W>& elements) : e(elements) {}

  [[gnu::always_inline]] static Pack load(const T* from) { return Pack(load_elements<T, W>(from)); }
  [[gnu::always_inline]] void store(T* to) const { store_elements<T, W>(e, to); }
  [[gnu::always_inline]] T operator[](int lane) const { return element<T, W>(e, lane); }
};

template <class T, int W>
[[gnu::always_inline]] inline Pack<T, W> operator+(const Pack<T, W>& a, const Pack<T, W>& b) {
  return Pack<T, W>(apply<T, T, W>(
      a.e, b.e, [](auto x, auto y) __attribute__((always_inline)) { return x + y; }));
}
template <class T, int W>
[[gnu::always_inline]] inline Pack<T, W> operator-(const Pack<T, W>& a, const Pack<T, W>& b) {
  return Pack<T, W>(apply<T, T, W>(
      a.e, b.e, [](auto x, auto y) __attribute__((always_inline)) { return x - y; }));
}
template <class T, int W>
[[gnu::always_inline]] inline Pack<T, W> operator*(const Pack<T, W>& a, const Pack<T, W>& b) {
  return Pack<T, W>(apply<T, T, W>(
      a.e, b.e, [](auto x, auto y) __attribute__((always_inline)) { return x * y; }));
}
template <class T, int W>
[[gnu::always_inline]] inline Pack<T, W> operator/(const Pack<T, W>& a, const Pack<T, W>& b) {
  return Pack<T, W>(apply<T, T, W>(
      a.e, b.e, [](auto x, auto y) __attribute__((always_inline)) { return x / y; }));
}

template <class T, int W, class Operation>
[[gnu::always_inline]] inline typename Pack<T, W>::Mask compare(const Pack<T, W>& a, const Pack<T, W>& b,
                                                                const Operation& operation) {
  return {apply<typename SameSizeInteger<T>::type, T, W>(a.e, b.e, operation)};
}
template <class T, int W>
[[gnu::always_inline]] inline auto operator<(const Pack<T, W>& a, const Pack<T, W>& b) {
  return compare(
      a, b, [](auto x, auto y) __attribute__((always_inline)) { return x < y; });
}
template <class T, int W>
[[gnu::always_inline]] inline auto operator>(const Pack<T, W>& a, const Pack<T, W>& b) {
  return compare(
      a, b, [](auto x, auto y) __attribute__((always_inline)) { return x > y; });
}
template <class T, int W>
[[gnu::always_inline]] inline auto operator<=(const Pack<T, W>& a, const Pack<T, W>& b) {
  return compare(
      a, b, [](auto x, auto y) __attribute__((always_inline)) { return x <= y; });
}
template <class T, int W>
[[gnu::always_inline]] inline auto operator>=(const Pack<T, W>& a, const Pack<T, W>& b) {
  return compare(
      a, b, [](auto x, auto y) __attribute__((always_inline)) { return x >= y; });
}
template <class T, int W>
[[gnu::always_inline]] inline auto operator==(const Pack<T, W>& a, const Pack<T, W>& b) {
  return compare(
      a, b, [](auto x, auto y) __attribute__((always_inline)) { return x == y; });
}
template <class T, int W>
[[gnu::always_inline]] inline auto operator!=(const Pack<T, W>& a, const Pack<T, W>& b) {
  return compare(
      a, b, [](auto x, auto y) __attribute__((always_inline)) { return x != y; });
}

/// The same bits as elements of another type.
template <class To, class From, int W>
[[gnu::always_inline]] inline Elements<To, W> reinterpret(const Elements<From, W>& e) {
  if constexpr (fits_register<From, W>) {
    Elements<To, W> same_bits;
    __builtin_memcpy(&same_bits.v, &e.v, sizeof(e.v));
    return same_bits;
  } else {
    return {reinterpret<To, From, W / 2>(e.low), reinterpret<To, From, W / 2>(e.high)};
  }
}

template <class Int, class T, int W>
[[gnu::always_inline]] inline Elements<T, W> select_elements(const Elements<Int, W>& mask, const Elements<T, W>& a,
                                                             const Elements<T, W>& b) {
  if constexpr (!fits_register<T, W>) {
    return {select_elements<Int, T, W / 2>(mask.low, a.low, b.low),
            select_elements<Int, T, W / 2>(mask.high, a.high, b.high)};
  } else if constexpr (register_bytes > 16) {
    return {mask.v ? a.v : b.v};
  } else {
    // SSE2 cannot compare 64-bit integers, which is how the compiler would read the mask again.
    const auto bits_a = reinterpret<Int, T, W>(a).v;
    const auto bits_b = reinterpret<Int, T, W>(b).v;
    return reinterpret<T, Int, W>({(mask.v & bits_a) | (~mask.v & bits_b)});
  }
}
template <class T, int W>
[[gnu::always_inline]] inline Pack<T, W> select(const typename Pack<T, W>::Mask& mask, const Pack<T, W>& a,
                                                const Pack<T, W>& b) {
  return Pack<T, W>(select_elements<typename SameSizeInteger<T>::type, T, W>(mask.e, a.e, b.e));
}

template <int W>
[[gnu::always_inline]] inline double get(const Pack<double, W>& pack, int lane) {
  return pack[lane];
}
template <int W>
[[gnu::always_inline]] inline void set(Pack<double, W>& pack, int lane, double value) {
  set_element<double, W>(pack.e, lane, value);
}

}  // namespace outcrop::cpu::OUTCROP_ISA
