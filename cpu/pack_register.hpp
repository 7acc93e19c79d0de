// What one register can do that the compiler's vector extensions say badly: questions to a mask, conversions between
// float and double, tables. One version for each instruction set; cpu/pack.hpp and pack_convert.hpp build packs on it.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace outcrop::cpu::OUTCROP_ISA {

#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

/// N numbers of one type as the compiler has them.
template <class T, int N>
struct VectorOf {
  typedef T type __attribute__((vector_size(sizeof(T) * N)));
};
template <class T, int N>
using Vector = typename VectorOf<T, N>::type;

/// The same bits as another type of the same size.
template <class To, class From>
[[gnu::always_inline]] inline To same_bits(const From& from) {
  return __builtin_bit_cast(To, from);
}

/// Whether any bit of a whole register, or of a smaller vector, is set.
template <class V>
[[gnu::always_inline]] inline bool any_bit(const V& v) {
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64) return _mm512_test_epi32_mask(same_bits<__m512i>(v), same_bits<__m512i>(v)) != 0;
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(V) == 32) return _mm256_testz_si256(same_bits<__m256i>(v), same_bits<__m256i>(v)) == 0;
#endif
  if constexpr (sizeof(V) == 16) {
    const __m128i zeros = _mm_cmpeq_epi8(same_bits<__m128i>(v), _mm_setzero_si128());
    return _mm_movemask_epi8(zeros) != 0xffff;
  }
  if constexpr (sizeof(V) == 8) return same_bits<std::int64_t>(v) != 0;
}

#if defined(__AVX512F__)

// The masked forms with every lane kept: of the plain ones GCC 12 says falsely that they read what is not set.
inline constexpr __mmask8 all_lanes = 0xff;

[[gnu::always_inline]] inline Vector<double, 8> widen_register(const Vector<float, 8>& v) {
  return same_bits<Vector<double, 8>>(_mm512_maskz_cvtps_pd(all_lanes, same_bits<__m256>(v)));
}
[[gnu::always_inline]] inline Vector<float, 8> narrow_register(const Vector<double, 8>& v) {
  return same_bits<Vector<float, 8>>(_mm512_maskz_cvtpd_ps(all_lanes, same_bits<__m512d>(v)));
}
[[gnu::always_inline]] inline Vector<float, 16> join_registers(const Vector<float, 8>& low,
                                                               const Vector<float, 8>& high) {
  return same_bits<Vector<float, 16>>(
      _mm512_maskz_insertf32x8(0xffff, _mm512_castps256_ps512(same_bits<__m256>(low)), same_bits<__m256>(high), 1));
}
[[gnu::always_inline]] inline Vector<float, 8> high_half_of(const Vector<float, 16>& v) {
  return same_bits<Vector<float, 8>>(_mm512_maskz_extractf32x8_ps(all_lanes, same_bits<__m512>(v), 1));
}
[[gnu::always_inline]] inline void stream_register(const Vector<float, 16>& v, float* to) {
  _mm512_stream_ps(to, same_bits<__m512>(v));
}
/// table[trunc(index)], number by number; index >= 0.
[[gnu::always_inline]] inline Vector<float, 8> lookup_register(const float* table, const Vector<double, 8>& index) {
  const __m256i i = _mm512_maskz_cvttpd_epi32(all_lanes, same_bits<__m512d>(index));
  return same_bits<Vector<float, 8>>(_mm256_i32gather_ps(table, i, sizeof(float)));
}

#elif defined(__AVX2__)

[[gnu::always_inline]] inline Vector<double, 4> widen_register(const Vector<float, 4>& v) {
  return same_bits<Vector<double, 4>>(_mm256_cvtps_pd(same_bits<__m128>(v)));
}
[[gnu::always_inline]] inline Vector<float, 4> narrow_register(const Vector<double, 4>& v) {
  return same_bits<Vector<float, 4>>(_mm256_cvtpd_ps(same_bits<__m256d>(v)));
}
[[gnu::always_inline]] inline Vector<float, 8> join_registers(const Vector<float, 4>& low,
                                                              const Vector<float, 4>& high) {
  return same_bits<Vector<float, 8>>(_mm256_set_m128(same_bits<__m128>(high), same_bits<__m128>(low)));
}
[[gnu::always_inline]] inline Vector<float, 4> high_half_of(const Vector<float, 8>& v) {
  return same_bits<Vector<float, 4>>(_mm256_extractf128_ps(same_bits<__m256>(v), 1));
}
[[gnu::always_inline]] inline void stream_register(const Vector<float, 8>& v, float* to) {
  _mm256_stream_ps(to, same_bits<__m256>(v));
}
/// table[trunc(index)], number by number; index >= 0.
[[gnu::always_inline]] inline Vector<float, 4> lookup_register(const float* table, const Vector<double, 4>& index) {
  const __m128i i = _mm256_cvttpd_epi32(same_bits<__m256d>(index));
  return same_bits<Vector<float, 4>>(_mm_i32gather_ps(table, i, sizeof(float)));
}

#else

[[gnu::always_inline]] inline Vector<double, 2> widen_register(const Vector<float, 2>& v) {
  const __m128i two = _mm_cvtsi64_si128(same_bits<long long>(v));
  return same_bits<Vector<double, 2>>(_mm_cvtps_pd(_mm_castsi128_ps(two)));
}
[[gnu::always_inline]] inline Vector<float, 2> narrow_register(const Vector<double, 2>& v) {
  const __m128i two = _mm_castps_si128(_mm_cvtpd_ps(same_bits<__m128d>(v)));
  return same_bits<Vector<float, 2>>(_mm_cvtsi128_si64(two));
}
[[gnu::always_inline]] inline Vector<float, 4> join_registers(const Vector<float, 2>& low,
                                                              const Vector<float, 2>& high) {
  return same_bits<Vector<float, 4>>(
      _mm_unpacklo_epi64(_mm_cvtsi64_si128(same_bits<long long>(low)), _mm_cvtsi64_si128(same_bits<long long>(high))));
}
[[gnu::always_inline]] inline Vector<float, 2> high_half_of(const Vector<float, 4>& v) {
  const __m128i moved = _mm_unpackhi_epi64(same_bits<__m128i>(v), same_bits<__m128i>(v));
  return same_bits<Vector<float, 2>>(_mm_cvtsi128_si64(moved));
}
[[gnu::always_inline]] inline void stream_register(const Vector<float, 4>& v, float* to) {
  _mm_stream_ps(to, same_bits<__m128>(v));
}
/// table[trunc(index)], number by number; index >= 0.
[[gnu::always_inline]] inline Vector<float, 2> lookup_register(const float* table, const Vector<double, 2>& index) {
  const __m128i i = _mm_cvttpd_epi32(same_bits<__m128d>(index));
  return Vector<float, 2>{table[_mm_cvtsi128_si32(i)], table[_mm_cvtsi128_si32(_mm_shuffle_epi32(i, 1))]};
}

#endif

}  // namespace outcrop::cpu::OUTCROP_ISA
