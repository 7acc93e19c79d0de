// Sine and cosine of a pack of angles. Taylor polynomials on a quarter turn; absolute error below 4e-16 for angles up
// to 1e6 rad (measured by tests/cpu/pack_test.cpp); larger ones, which no phase has, go to the C library one by one.
#pragma once

#include <cstdint>

#include "cpu/pack.hpp"

namespace outcrop::cpu::OUTCROP_ISA {

template <int W>
struct QuarterTurns {
  Pack<double, W> rest;                ///< [rad] -pi/4 .. pi/4
  IntegerPack<std::int64_t, W> turns;  ///< quarter turns, right in their lowest two bits
};

/// angle = rest + turns * pi/2, with pi/2 in three parts whose products with a small whole number are exact or
/// negligible.
template <int W>
[[gnu::always_inline]] inline QuarterTurns<W> reduce(const Pack<double, W>& angle) {
  using P = Pack<double, W>;
  constexpr double round_to_integer = 6755399441055744.0;  // 1.5 * 2^52: the low bits of the sum are the integer
  const P shifted = angle * P(0.63661977236758134308) + P(round_to_integer);
  const P whole = shifted - P(round_to_integer);
  P rest = angle - whole * P(1.57079632673412561417e+00);
  rest = rest - whole * P(6.07710050630396597660e-11);
  rest = rest - whole * P(2.02226624879595063154e-21);
  return {rest, {reinterpret<std::int64_t, double, W>(shifted.e)}};
}

template <int W>
[[gnu::always_inline]] inline Pack<double, W> sine_series(const Pack<double, W>& x, const Pack<double, W>& square) {
  using P = Pack<double, W>;
  P sum = P(-1.0 / 1307674368000.0);
  sum = sum * square + P(1.0 / 6227020800.0);
  sum = sum * square + P(-1.0 / 39916800.0);
  sum = sum * square + P(1.0 / 362880.0);
  sum = sum * square + P(-1.0 / 5040.0);
  sum = sum * square + P(1.0 / 120.0);
  sum = sum * square + P(-1.0 / 6.0);
  return x + x * square * sum;
}

template <int W>
[[gnu::always_inline]] inline Pack<double, W> cosine_series(const Pack<double, W>& square) {
  using P = Pack<double, W>;
  P sum = P(1.0 / 20922789888000.0);
  sum = sum * square + P(-1.0 / 87178291200.0);
  sum = sum * square + P(1.0 / 479001600.0);
  sum = sum * square + P(-1.0 / 3628800.0);
  sum = sum * square + P(1.0 / 40320.0);
  sum = sum * square + P(-1.0 / 720.0);
  sum = sum * square + P(1.0 / 24.0);
  sum = sum * square + P(-0.5);
  return P(1.0) + square * sum;
}

/// The bits of an integer that decide about a quadrant, one register at a time.
template <int W, class Operation>
[[gnu::always_inline]] inline IntegerPack<std::int64_t, W> bits_of(const IntegerPack<std::int64_t, W>& turns,
                                                                   const Operation& operation) {
  return {apply<std::int64_t, std::int64_t, W>(turns.e, turns.e, operation)};
}

/// The number with its sign turned where bit 63 of `sign` is set.
template <int W>
[[gnu::always_inline]] inline Pack<double, W> turn_sign(const Pack<double, W>& value,
                                                        const IntegerPack<std::int64_t, W>& sign) {
  const auto turned = apply<std::int64_t, std::int64_t, W>(
      reinterpret<std::int64_t, double, W>(value.e), sign.e,
      [](auto x, auto y) __attribute__((always_inline)) { return x ^ y; });
  return Pack<double, W>(reinterpret<double, std::int64_t, W>(turned));
}

template <int W>
[[gnu::always_inline]] inline Pack<double, W> magnitude(const Pack<double, W>& value) {
  const auto without_sign = apply<std::int64_t, std::int64_t, W>(
      reinterpret<std::int64_t, double, W>(value.e), all_equal<std::int64_t, W>(0x7fffffffffffffff),
      [](auto x, auto y) __attribute__((always_inline)) { return x & y; });
  return Pack<double, W>(reinterpret<double, std::int64_t, W>(without_sign));
}

/// angle [rad], finite.
template <int W>
[[gnu::always_inline]] inline void sincos(const Pack<double, W>& angle, Pack<double, W>& sine,
                                          Pack<double, W>& cosine) {
  using P = Pack<double, W>;
  constexpr double largest = 1e6;
  const auto huge = magnitude(angle) > P(largest);
  const QuarterTurns<W> part = reduce(angle);
  const P square = part.rest * part.rest;
  const P s = sine_series(part.rest, square);
  const P c = cosine_series(square);
  const auto odd = bits_of(
      part.turns, [](auto n, auto) __attribute__((always_inline)) { return -(n & 1); });
  sine = turn_sign(select(odd, c, s),
                   bits_of(
                       part.turns, [](auto n, auto) __attribute__((always_inline)) { return (n & 2) << 62; }));
  cosine = turn_sign(select(odd, s, c),
                     bits_of(
                         part.turns, [](auto n, auto) __attribute__((always_inline)) { return ((n + 1) & 2) << 62; }));
  if (any(huge)) [[unlikely]] {
    for (int i = 0; i < W; ++i) {
      if (!holds(huge, i)) continue;
      set(sine, i, __builtin_sin(angle[i]));
      set(cosine, i, __builtin_cos(angle[i]));
    }
  }
}

}  // namespace outcrop::cpu::OUTCROP_ISA
