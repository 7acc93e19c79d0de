// Checks the Fletcher checksum that HDF5 can append to a chunk.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/codec/codec.hpp"

namespace outcrop::io::codec {
namespace {

/// Words that can be added up before a 32-bit sum of sums can overflow.
constexpr std::size_t words_per_block = 360;
constexpr std::size_t checksum_bytes = 4;

std::uint32_t fold(std::uint32_t sum) { return (sum & 0xffffU) + (sum >> 16U); }

std::uint32_t octet(std::span<const std::byte> data, std::size_t i) { return std::to_integer<std::uint32_t>(data[i]); }

/// The checksum of HDF5 1.6.2 and older on little-endian machines: the bytes of both halves exchanged.
std::uint32_t exchanged(std::uint32_t sum) { return ((sum & 0x00ff00ffU) << 8U) | ((sum & 0xff00ff00U) >> 8U); }

}  // namespace

std::uint32_t fletcher32(std::span<const std::byte> data) {
  std::uint32_t sum = 0;
  std::uint32_t sum_of_sums = 0;
  const std::size_t words = data.size() / 2;
  for (std::size_t word = 0; word < words;) {
    const std::size_t end = std::min(words, word + words_per_block);
    for (; word < end; ++word) {
      sum += octet(data, 2 * word) << 8U | octet(data, 2 * word + 1);
      sum_of_sums += sum;
    }
    sum = fold(sum);
    sum_of_sums = fold(sum_of_sums);
  }
  if (data.size() % 2 != 0) {
    sum += octet(data, data.size() - 1) << 8U;
    sum_of_sums += sum;
    sum = fold(sum);
    sum_of_sums = fold(sum_of_sums);
  }
  return fold(sum_of_sums) << 16U | fold(sum);
}

std::span<const std::byte> verify_fletcher32(std::span<const std::byte> data) {
  if (data.size() < checksum_bytes) {
    fail(Errc::corrupt, fmt::format("checking a chunk failed: {} bytes have no room for a checksum", data.size()));
  }
  const auto content = data.first(data.size() - checksum_bytes);
  std::uint32_t stored = 0;
  for (std::size_t i = 0; i < checksum_bytes; ++i) {
    stored |= octet(data, content.size() + i) << static_cast<unsigned>(8 * i);
  }
  const std::uint32_t computed = fletcher32(content);
  if (stored != computed && stored != exchanged(computed)) {
    fail(Errc::corrupt, fmt::format("checking a chunk failed: its checksum is {:#010x}, its {} bytes have {:#010x}",
                                    stored, content.size(), computed));
  }
  return content;
}

}  // namespace outcrop::io::codec
