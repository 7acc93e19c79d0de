// Encoding: what is made here is what the decoders, and HDF5 through them, take apart again.
#include "io/codec/encode.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <vector>

#include "io/codec/codec.hpp"

using namespace outcrop::io::codec;
using Bytes = std::vector<std::byte>;

namespace {

/// Byte `i` of data that are constant, random, repeating, repeating with faults, or random in stretches.
std::size_t value_of(int kind, std::size_t i, std::mt19937& random) {
  switch (kind) {
    case 0:
      return 0;
    case 1:
      return random();
    case 2:
      return i / 7 % 11;
    case 3:
      return random() % 50 == 0 ? random() : i % 300 / 3;
    default:
      return i / 5000 % 2 == 0 ? random() : 5;
  }
}

Bytes bytes_of(int kind, std::size_t size) {
  std::mt19937 random(static_cast<unsigned>(kind) + 1U);
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(value_of(kind, i, random) & 0xffU);
  return bytes;
}

Bytes decoded(const std::vector<FilterSpec>& filters, const EncodedBytes& encoded, std::int64_t size,
              std::int64_t element_bytes) {
  const Pipeline pipeline(filters, size, element_bytes);
  Bytes first(static_cast<std::size_t>(pipeline.buffer_bytes()));
  Bytes second(first.size());
  const auto plain = pipeline.decode(encoded.bytes, encoded.skipped, first, second);
  return {plain.begin(), plain.end()};
}

}  // namespace

TEST_CASE("every chain of filters comes back, for every kind and size of data") {
  const std::vector<std::vector<FilterSpec>> chains = {
      {},
      {{lzf_filter, {4, 0x0105, 0}}},
      {{deflate_filter, {4}}},
      {{shuffle_filter, {}}, {deflate_filter, {4}}, {fletcher32_filter, {}}},
      {{shuffle_filter, {}}, {lzf_filter, {}}},
      {{fletcher32_filter, {}}}};
  for (const auto& chain : chains) {
    for (int kind = 0; kind < 5; ++kind) {
      for (const std::size_t size : {1U, 2U, 3U, 4U, 31U, 32U, 33U, 264U, 265U, 300U, 8192U, 8200U, 40000U}) {
        for (const std::int64_t element : {1, 4}) {
          CAPTURE(chain.size());
          CAPTURE(kind);
          CAPTURE(size);
          const auto plain = bytes_of(kind, size);
          const auto encoded = encode(chain, plain, element);
          CHECK(decoded(chain, encoded, static_cast<std::int64_t>(size), element) == plain);
        }
      }
    }
  }
}

TEST_CASE("data that do not become shorter are stored as they are, and marked") {
  const auto noise = bytes_of(1, 5000);
  const auto encoded = encode({{shuffle_filter, {}}, {lzf_filter, {}}, {fletcher32_filter, {}}}, noise, 4);
  CHECK(encoded.skipped == 2U);
  CHECK(encoded.bytes.size() == noise.size() + 4);
}

TEST_CASE("LZF makes repeating data short") {
  CHECK(encode({{lzf_filter, {}}}, bytes_of(0, 40000), 1).bytes.size() < 1000);
  CHECK(encode({{lzf_filter, {}}}, bytes_of(2, 40000), 1).bytes.size() < 2000);
}

TEST_CASE("shuffling and its undoing are each other's inverse, odd bytes included") {
  const auto plain = bytes_of(1, 1003);
  for (const std::int64_t element : {1, 2, 3, 4, 8}) {
    Bytes shuffled(plain.size());
    Bytes back(plain.size());
    shuffle(plain, shuffled, element);
    unshuffle(shuffled, back, element);
    CHECK(back == plain);
  }
}
