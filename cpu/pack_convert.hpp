// Packs of floats and doubles into each other, and what goes number by number: tables and roots.
#pragma once

#include <cstdint>

#include "cpu/pack.hpp"

namespace outcrop::cpu::OUTCROP_ISA {

template <int W>
[[gnu::always_inline]] inline Elements<float, W / 2> low_half(const Elements<float, W>& e) {
  if constexpr (!fits_register<float, W>) {
    return e.low;
  } else {
    Elements<float, W / 2> half;
    __builtin_memcpy(&half.v, &e.v, sizeof(half.v));
    return half;
  }
}

template <int W>
[[gnu::always_inline]] inline Elements<float, W / 2> high_half(const Elements<float, W>& e) {
  if constexpr (!fits_register<float, W>) {
    return e.high;
  } else {
    // Not a copy of the upper bytes: that would go through memory.
    typename Elements<float, W>::Vector moved = e.v;
    if constexpr (W == 4) moved = __builtin_shufflevector(e.v, e.v, 2, 3, 0, 1);
    if constexpr (W == 8) moved = __builtin_shufflevector(e.v, e.v, 4, 5, 6, 7, 0, 1, 2, 3);
    return low_half<W>({moved});
  }
}

template <int W>
[[gnu::always_inline]] inline Elements<double, W> widen_elements(const Elements<float, W>& e) {
  if constexpr (fits_register<double, W>) {
    return {__builtin_convertvector(e.v, typename Elements<double, W>::Vector)};
  } else {
    return {widen_elements<W / 2>(low_half<W>(e)), widen_elements<W / 2>(high_half<W>(e))};
  }
}

template <int W>
[[gnu::always_inline]] inline Pack<double, W> widen(const Pack<float, W>& sample) {
  return Pack<double, W>(widen_elements<W>(sample.e));
}

template <int W>
[[gnu::always_inline]] inline void narrow_into(const Elements<double, W>& e, float* to) {
  if constexpr (fits_register<double, W>) {
    const auto narrow = __builtin_convertvector(e.v, typename Elements<float, W>::Vector);
    __builtin_memcpy(to, &narrow, sizeof(narrow));
  } else {
    narrow_into<W / 2>(e.low, to);
    narrow_into<W / 2>(e.high, to + W / 2);
  }
}

/// Rounds to float32.
template <int W>
[[gnu::always_inline]] inline Pack<float, W> narrow(const Pack<double, W>& pack) {
  float numbers[W];
  narrow_into<W>(pack.e, numbers);
  return Pack<float, W>::load(numbers);
}

/// Rounds to float32 and stores.
template <int W>
[[gnu::always_inline]] inline void store_narrow(const Pack<double, W>& pack, float* to) {
  narrow_into<W>(pack.e, to);
}

template <int W, class Operation>
[[gnu::always_inline]] inline Elements<double, W> apply_each(const Elements<double, W>& e, const Operation& operation) {
  if constexpr (fits_register<double, W>) {
    Elements<double, W> result = e;
    for (int i = 0; i < W; ++i) result.v[i] = operation(e.v[i]);
    return result;
  } else {
    return {apply_each<W / 2>(e.low, operation), apply_each<W / 2>(e.high, operation)};
  }
}

template <int W>
[[gnu::always_inline]] inline Pack<double, W> lookup(const double* table, const Pack<double, W>& index) {
  return Pack<double, W>(apply_each<W>(
      index.e, [table](double i) __attribute__((always_inline)) { return table[static_cast<int>(i)]; }));
}

template <int W>
[[gnu::always_inline]] inline Pack<double, W> float_root(const Pack<double, W>& value) {
  return Pack<double, W>(apply_each<W>(
      value.e, [](double x) __attribute__((always_inline)) {
        return static_cast<double>(__builtin_sqrtf(static_cast<float>(x)));
      }));
}

template <int W>
[[gnu::always_inline]] inline Pack<double, W> root(const Pack<double, W>& value) {
  return Pack<double, W>(apply_each<W>(
      value.e, [](double x) __attribute__((always_inline)) { return __builtin_sqrt(x); }));
}

}  // namespace outcrop::cpu::OUTCROP_ISA
