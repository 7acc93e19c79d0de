// Packs of floats and doubles into each other, tables and roots.
#pragma once

#include "cpu/pack.hpp"
#include "cpu/pack_register.hpp"

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
    return {high_half_of(e.v)};  // not a copy of the upper bytes: that would go through memory
  }
}

template <int W>
[[gnu::always_inline]] inline Elements<double, W> widen_elements(const Elements<float, W>& e) {
  if constexpr (fits_register<double, W>) {
    return {widen_register(e.v)};
  } else {
    return {widen_elements<W / 2>(low_half<W>(e)), widen_elements<W / 2>(high_half<W>(e))};
  }
}

template <int W>
[[gnu::always_inline]] inline Pack<double, W> widen(const Pack<float, W>& sample) {
  return Pack<double, W>(widen_elements<W>(sample.e));
}

template <int W>
[[gnu::always_inline]] inline Elements<double, W> load_wide_elements(const float* from) {
  if constexpr (fits_register<double, W>) {
    Vector<float, W> v;
    __builtin_memcpy(&v, from, sizeof(v));
    return {widen_register(v)};
  } else {
    return {load_wide_elements<W / 2>(from), load_wide_elements<W / 2>(from + W / 2)};
  }
}

/// widen(load(from)), but register by register from memory: halves of a register would have to be moved.
template <int W>
[[gnu::always_inline]] inline Pack<double, W> load_wide(const float* from) {
  return Pack<double, W>(load_wide_elements<W>(from));
}

/// Two halves as one pack.
template <int W>
[[gnu::always_inline]] inline Elements<float, W> join(const Elements<float, W / 2>& low,
                                                      const Elements<float, W / 2>& high) {
  if constexpr (fits_register<float, W>) {
    return {join_registers(low.v, high.v)};
  } else {
    return {low, high};
  }
}

template <int W>
[[gnu::always_inline]] inline Elements<float, W> narrow_elements(const Elements<double, W>& e) {
  if constexpr (fits_register<double, W>) {
    return {narrow_register(e.v)};
  } else {
    return join<W>(narrow_elements<W / 2>(e.low), narrow_elements<W / 2>(e.high));
  }
}

/// Rounds to float32.
template <int W>
[[gnu::always_inline]] inline Pack<float, W> narrow(const Pack<double, W>& pack) {
  return Pack<float, W>(narrow_elements<W>(pack.e));
}

/// Rounds to float32 and stores.
template <int W>
[[gnu::always_inline]] inline void store_narrow(const Pack<double, W>& pack, float* to) {
  narrow(pack).store(to);
}

template <int W>
[[gnu::always_inline]] inline void stream_elements(const Elements<float, W>& e, float* to) {
  if constexpr (fits_register<float, W>) {
    stream_register(e.v, to);
  } else {
    stream_elements<W / 2>(e.low, to);
    stream_elements<W / 2>(e.high, to + W / 2);
  }
}

/// Rounds to float32 and stores past the caches, which then need not read what is written over. For whole cache lines
/// one after the other; settle_streams() before another thread may read them. `to`: aligned to the pack.
template <int W>
[[gnu::always_inline]] inline void stream_narrow(const Pack<double, W>& pack, float* to) {
  stream_elements<W>(narrow(pack).e, to);
}

/// What was streamed becomes visible before anything that this thread writes afterwards.
[[gnu::always_inline]] inline void settle_streams() { _mm_sfence(); }

template <int W>
[[gnu::always_inline]] inline Elements<float, W> lookup_elements(const float* table, const Elements<double, W>& index) {
  if constexpr (fits_register<double, W>) {
    return {lookup_register(table, index.v)};
  } else {
    return join<W>(lookup_elements<W / 2>(table, index.low), lookup_elements<W / 2>(table, index.high));
  }
}

/// table[trunc(index)]
template <int W>
[[gnu::always_inline]] inline Pack<float, W> lookup(const float* table, const Pack<double, W>& index) {
  return Pack<float, W>(lookup_elements<W>(table, index.e));
}

template <class T, int W, class Operation>
[[gnu::always_inline]] inline Elements<T, W> apply_each(const Elements<T, W>& e, const Operation& operation) {
  if constexpr (fits_register<T, W>) {
    Elements<T, W> result = e;
    for (int i = 0; i < W; ++i) result.v[i] = operation(e.v[i]);
    return result;
  } else {
    return {apply_each<T, W / 2>(e.low, operation), apply_each<T, W / 2>(e.high, operation)};
  }
}

/// The float32 root of the float32 value.
template <int W>
[[gnu::always_inline]] inline Pack<float, W> float_root(const Pack<double, W>& value) {
  return Pack<float, W>(apply_each<float, W>(
      narrow(value).e, [](float x) __attribute__((always_inline)) { return __builtin_sqrtf(x); }));
}

template <int W>
[[gnu::always_inline]] inline Pack<double, W> root(const Pack<double, W>& value) {
  return Pack<double, W>(apply_each<double, W>(
      value.e, [](double x) __attribute__((always_inline)) { return __builtin_sqrt(x); }));
}

}  // namespace outcrop::cpu::OUTCROP_ISA
