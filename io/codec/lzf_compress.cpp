// Makes LZF data. Our own: liblzf starts from a table it never cleared, so that equal data need not give equal bytes.
#include <algorithm>
#include <cstring>
#include <vector>

#include "io/codec/codec.hpp"

namespace outcrop::io::codec {
namespace {

// The format: a byte below 32 is followed by that many literals and one more; else its upper three bits are a length
// less two (7: the next byte is added to it), its lower five and the byte after those the distance less one.
constexpr std::size_t longest_run = 32;
constexpr std::size_t shortest_match = 3;
constexpr std::size_t longest_match = 264;
constexpr std::size_t farthest = 8192;
constexpr unsigned table_bits = 14;
constexpr std::size_t bytes_a_look = 4;  // loaded at once; three of them are looked at
/// Where nothing repeats, steps grow by one byte after so many in vain: noise need not be looked at closely.
constexpr std::size_t misses_before_steps = 64;

class LzfWriter {
 public:
  LzfWriter(std::span<const std::byte> in, std::span<std::byte> out)
      : in_(in), out_(out), last_seen_(std::size_t{1} << table_bits, 0) {}

  /// 0 when the result does not fit.
  std::size_t run() {
    std::size_t at = 0;
    std::size_t misses = 0;
    while (at + bytes_a_look <= in_.size() && !full_) {
      const std::size_t before = exchange_last(at);
      if (before == at || three_bytes(before) != three_bytes(at)) {
        at += 1 + misses++ / misses_before_steps;
        continue;
      }
      const std::size_t length = match_length(before, at);
      put_literals(at);
      put_match(length, at - before);
      at += length;
      literals_ = at;
      misses = 0;
    }
    put_literals(in_.size());
    return full_ ? 0 : written_;
  }

 private:
  std::uint32_t three_bytes(std::size_t at) const {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, in_.data() + at, bytes_a_look);
    return bytes & 0xffffffU;
  }

  /// Notes that three bytes begin here. Gives: where others of their hash began last; `at`: nowhere near.
  std::size_t exchange_last(std::size_t at) {
    std::uint32_t& entry = last_seen_[three_bytes(at) * 2654435761U >> (32 - table_bits)];
    const std::size_t before = entry == 0 ? at : entry - std::size_t{1};
    entry = static_cast<std::uint32_t>(at + 1);
    return at - before > farthest ? at : before;
  }

  std::size_t match_length(std::size_t before, std::size_t at) const {
    const std::size_t most = std::min(longest_match, in_.size() - at);
    std::size_t length = shortest_match;
    while (length < most && in_[before + length] == in_[at + length]) ++length;
    return length;
  }

  void put_literals(std::size_t end) {
    while (literals_ < end && reserve(std::min(longest_run, end - literals_) + 1)) {
      const std::size_t count = std::min(longest_run, end - literals_);
      out_[written_++] = static_cast<std::byte>(count - 1);
      std::copy_n(in_.begin() + static_cast<std::ptrdiff_t>(literals_), count,
                  out_.begin() + static_cast<std::ptrdiff_t>(written_));
      written_ += count;
      literals_ += count;
    }
  }

  void put_match(std::size_t length, std::size_t distance) {
    constexpr std::size_t longest_short = 8;
    const std::size_t stored = length - 2;
    const bool is_short = length <= longest_short;
    if (!reserve(3)) return;
    out_[written_++] = static_cast<std::byte>((is_short ? stored : 7U) << 5U | (distance - 1) >> 8U);
    if (!is_short) out_[written_++] = static_cast<std::byte>(stored - 7);
    out_[written_++] = static_cast<std::byte>((distance - 1) & 0xffU);
  }

  bool reserve(std::size_t bytes) {
    if (out_.size() - written_ < bytes) full_ = true;
    return !full_;
  }

  std::span<const std::byte> in_;
  std::span<std::byte> out_;
  std::vector<std::uint32_t> last_seen_;  ///< by hash: position + 1
  std::size_t literals_ = 0;              ///< the first that is not written
  std::size_t written_ = 0;
  bool full_ = false;
};

}  // namespace

std::int64_t compress_lzf(std::span<const std::byte> in, std::span<std::byte> out) {
  return static_cast<std::int64_t>(LzfWriter(in, out).run());
}

}  // namespace outcrop::io::codec
