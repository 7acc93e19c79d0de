// Sums of unit phasors on packs: amount * exp(j angle). Minimax polynomials on half a turn whose absolute error is
// below 3e-10, a hundredth of what rounding a coherence to float32 costs (measured by tests/cpu/pack_test.cpp).
// Angles beyond 1e6 rad, which no phase has, go to the C library one by one.
#pragma once

#include <cstdint>

#include "cpu/pack.hpp"

namespace outcrop::cpu::OUTCROP_ISA {

template <int W>
struct HalfTurns {
  Pack<double, W> rest;               ///< [rad] -pi/2 .. pi/2
  IntegerPack<std::int64_t, W> sign;  ///< bit 63 set where the number of half turns is odd
};

/// angle = rest + turns * pi, with pi in two parts: the product of the first with a small whole number is exact.
template <int W>
[[gnu::always_inline]] inline HalfTurns<W> reduce(const Pack<double, W>& angle) {
  using P = Pack<double, W>;
  constexpr double round_to_integer = 6755399441055744.0;  // 1.5 * 2^52: the low bits of the sum are the integer
  const P shifted = angle * P(0.31830988618379067154) + P(round_to_integer);
  const P turns = shifted - P(round_to_integer);
  P rest = angle - turns * P(3.14159265346825122834e+00);
  rest = rest - turns * P(1.21542010130123843e-10);
  const auto bits = reinterpret<std::int64_t, double, W>(shifted.e);
  return {rest,
          {apply<std::int64_t, std::int64_t, W>(
              bits, bits, [](auto n, auto) __attribute__((always_inline)) { return n << 63; })}};
}

/// |x| <= pi/2; error below 1.8e-11.
template <int W>
[[gnu::always_inline]] inline Pack<double, W> sine_series(const Pack<double, W>& x, const Pack<double, W>& square) {
  using P = Pack<double, W>;
  P sum = P(-2.3846693865122795e-08);
  sum = sum * square + P(2.7522618845487724e-06);
  sum = sum * square + P(-0.00019840804039007484);
  sum = sum * square + P(0.008333330495669616);
  sum = sum * square + P(-0.16666666606466932);
  return x + x * square * sum;
}

/// Of the x whose square is given, |x| <= pi/2; exactly 1 at 0; error below 2.5e-10.
template <int W>
[[gnu::always_inline]] inline Pack<double, W> cosine_series(const Pack<double, W>& square) {
  using P = Pack<double, W>;
  P sum = P(-2.6077105090867526e-07);
  sum = sum * square + P(2.4761886233485953e-05);
  sum = sum * square + P(-0.0013888403507928576);
  sum = sum * square + P(0.041666640728037746);
  sum = sum * square + P(-0.4999999954955674);
  return P(1.0) + square * sum;
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

template <int W>
struct Phasors {
  Pack<double, W> sine;
  Pack<double, W> cosine;
};

/// `near`, but with the C library's values where the angle is huge. Not inlined: packs that are looked into number by
/// number live in memory, and the loops around must not.
template <int W>
[[gnu::noinline, gnu::cold]] Phasors<W> with_huge(Phasors<W> near, Pack<double, W> angle,
                                                  typename Pack<double, W>::Mask huge,
                                                  IntegerPack<std::int64_t, W>& sign) {
  for (int i = 0; i < W; ++i) {
    if (!holds(huge, i)) continue;
    set(near.sine, i, __builtin_sin(angle[i]));
    set(near.cosine, i, __builtin_cos(angle[i]));
    set_element<std::int64_t, W>(sign.e, i, 0);
  }
  return near;
}

/// Adds amount * exp(j angle). angle [rad], finite.
template <int W>
[[gnu::always_inline]] inline void add_phasor(const Pack<double, W>& angle, const Pack<double, W>& amount,
                                              Pack<double, W>& real, Pack<double, W>& imaginary) {
  using P = Pack<double, W>;
  constexpr double largest = 1e6;
  const auto huge = magnitude(angle) > P(largest);
  const HalfTurns<W> part = reduce(angle);
  const P square = part.rest * part.rest;
  Phasors<W> unit{sine_series(part.rest, square), cosine_series(square)};
  P signed_amount = turn_sign(amount, part.sign);
  if (any(huge)) [[unlikely]] {
    IntegerPack<std::int64_t, W> sign = part.sign;
    unit = with_huge<W>(unit, angle, huge, sign);
    signed_amount = turn_sign(amount, sign);
  }
  real = real + signed_amount * unit.cosine;
  imaginary = imaginary + signed_amount * unit.sine;
}

}  // namespace outcrop::cpu::OUTCROP_ISA
