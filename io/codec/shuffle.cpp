// The byte shuffle and its undoing: byte planes to elements, sixteen elements at a time for the usual element sizes.
#include <array>
#include <cstring>

#include "core/check.hpp"
#include "io/codec/codec.hpp"

namespace outcrop::io::codec {
namespace {

using Bytes = std::uint8_t __attribute__((vector_size(16)));
using Words = std::uint16_t __attribute__((vector_size(16)));
using DoubleWords = std::uint32_t __attribute__((vector_size(16)));

Bytes load(const std::byte* at) {
  Bytes v;
  std::memcpy(&v, at, sizeof v);
  return v;
}

/// {low, high} halves of a and b with their units taken in turn: the merge step of every element size.
std::array<Bytes, 2> zip_bytes(Bytes a, Bytes b) {
  return {__builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
          __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)};
}
std::array<Bytes, 2> zip_words(Bytes a, Bytes b) {
  const auto x = reinterpret_cast<Words>(a);
  const auto y = reinterpret_cast<Words>(b);
  return {reinterpret_cast<Bytes>(__builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11)),
          reinterpret_cast<Bytes>(__builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15))};
}
std::array<Bytes, 2> zip_double_words(Bytes a, Bytes b) {
  const auto x = reinterpret_cast<DoubleWords>(a);
  const auto y = reinterpret_cast<DoubleWords>(b);
  return {reinterpret_cast<Bytes>(__builtin_shufflevector(x, y, 0, 4, 1, 5)),
          reinterpret_cast<Bytes>(__builtin_shufflevector(x, y, 2, 6, 3, 7))};
}

/// Sixteen elements of N bytes; plane k of the input begins at in + k * stride.
template <int N>
void sixteen(const std::byte* in, std::int64_t stride, std::byte* out);

template <>
void sixteen<2>(const std::byte* in, std::int64_t stride, std::byte* out) {
  const auto r = zip_bytes(load(in), load(in + stride));
  std::memcpy(out, r.data(), sizeof r);
}

std::array<Bytes, 4> quads(const std::byte* in, std::int64_t stride) {
  const auto low = zip_bytes(load(in), load(in + stride));
  const auto high = zip_bytes(load(in + 2 * stride), load(in + 3 * stride));
  const auto first = zip_words(low[0], high[0]);
  const auto last = zip_words(low[1], high[1]);
  return {first[0], first[1], last[0], last[1]};
}

template <>
void sixteen<4>(const std::byte* in, std::int64_t stride, std::byte* out) {
  const auto r = quads(in, stride);
  std::memcpy(out, r.data(), sizeof r);
}

template <>
void sixteen<8>(const std::byte* in, std::int64_t stride, std::byte* out) {
  const auto low = quads(in, stride);
  const auto high = quads(in + 4 * stride, stride);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto r = zip_double_words(low[i], high[i]);
    std::memcpy(out + 32 * i, r.data(), sizeof r);
  }
}

template <int N>
std::int64_t in_sixteens(const std::byte* in, std::int64_t count, std::byte* out) {
  const std::int64_t end = count / 16 * 16;
  for (std::int64_t i = 0; i < end; i += 16) sixteen<N>(in + i, count, out + i * N);
  return end;
}

/// Gives: how many elements were done.
std::int64_t fast_part(const std::byte* in, std::int64_t count, std::byte* out, std::int64_t element_bytes) {
  switch (element_bytes) {
    case 2:
      return in_sixteens<2>(in, count, out);
    case 4:
      return in_sixteens<4>(in, count, out);
    case 8:
      return in_sixteens<8>(in, count, out);
    default:
      return 0;
  }
}

}  // namespace

void unshuffle(std::span<const std::byte> in, std::span<std::byte> out, std::int64_t element_bytes) {
  OUTCROP_EXPECT(out.size() == in.size() && element_bytes > 0, "unshuffle needs an output as long as its input");
  const auto size = static_cast<std::int64_t>(in.size());
  const std::int64_t count = size / element_bytes;
  for (std::int64_t i = fast_part(in.data(), count, out.data(), element_bytes); i < count; ++i) {
    for (std::int64_t b = 0; b < element_bytes; ++b) out.data()[i * element_bytes + b] = in.data()[b * count + i];
  }
  const std::int64_t whole = count * element_bytes;
  if (whole < size) std::memcpy(out.data() + whole, in.data() + whole, static_cast<std::size_t>(size - whole));
}

void shuffle(std::span<const std::byte> in, std::span<std::byte> out, std::int64_t element_bytes) {
  OUTCROP_EXPECT(out.size() == in.size() && element_bytes > 0, "shuffle needs an output as long as its input");
  const auto size = static_cast<std::int64_t>(in.size());
  const std::int64_t count = size / element_bytes;
  for (std::int64_t b = 0; b < element_bytes; ++b) {
    for (std::int64_t i = 0; i < count; ++i) out.data()[b * count + i] = in.data()[i * element_bytes + b];
  }
  const std::int64_t whole = count * element_bytes;
  if (whole < size) std::memcpy(out.data() + whole, in.data() + whole, static_cast<std::size_t>(size - whole));
}

}  // namespace outcrop::io::codec
