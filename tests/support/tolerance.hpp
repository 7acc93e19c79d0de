// Tolerances of the tests, each with its reason.
#pragma once

namespace outcrop::test {

/// Series as float32 files against a double precision reference, rms / max|ref| over all pixels: float32 rounding alone
/// gives 3e-8, a wrong pixel in a million gives 1e-3.
inline constexpr double series_rms = 1e-6;

/// The same, largest difference of any sample / max|ref|: catches one wrong pixel.
inline constexpr double series_largest = 1e-5;

/// Temporal coherence as float32: one rounding (6e-8) and the error of the phasors.
inline constexpr double temporal_coherence = 1e-6;

/// Series and quality of one instruction set against another's, largest difference / largest magnitude: double
/// arithmetic with and without fused multiply-add, then one rounding to float32.
inline constexpr double across_instruction_sets = 1e-6;

/// Products of one solver against another's, largest difference / largest magnitude: normal equations of the worst
/// unmarked pixel lose nine of sixteen digits, and what is left is rounded to float32.
inline constexpr double across_solvers = 1e-6;

/// Double arithmetic against double arithmetic of another order, relative to the largest value: a few hundred
/// roundings.
inline constexpr double double_arithmetic = 1e-11;

/// Numbers written with six decimals.
inline constexpr double six_decimals = 1.5e-6;

/// Phase variances against tabulated ones: sums of 200 terms whose factors are powers up to 80 and gamma functions.
inline constexpr double variance_relative = 1e-11;

/// Unit phasors of packs, absolute: their polynomials. A coherence is a mean of phasors and is rounded to float32, by
/// up to 3e-8.
inline constexpr double phasor = 3e-10;

}  // namespace outcrop::test
