// Applies filters one after the other, as HDF5 would.
#include "io/codec/encode.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/check.hpp"
#include "io/codec/codec.hpp"

namespace outcrop::io::codec {
namespace {

/// Writes the compressed bytes to `out`. False when they would not be shorter.
bool compress(const FilterSpec& filter, std::span<const std::byte> in, std::vector<std::byte>& out) {
  constexpr int usual_level = 4;
  if (in.size() < 2) return false;
  out.resize(in.size() - 1);
  const int level = filter.parameters.empty() ? usual_level : static_cast<int>(filter.parameters.front());
  const std::int64_t bytes = filter.id == deflate_filter ? deflate(in, out, level) : compress_lzf(in, out);
  out.resize(static_cast<std::size_t>(bytes));
  return bytes > 0;
}

void append_checksum(std::vector<std::byte>& bytes) {
  const std::uint32_t sum = fletcher32(bytes);
  for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>(sum >> shift & 0xffU));
}

}  // namespace

EncodedBytes encode(const std::vector<FilterSpec>& filters, std::span<const std::byte> plain,
                    std::int64_t element_bytes) {
  EncodedBytes encoded{{plain.begin(), plain.end()}, 0};
  std::vector<std::byte> next;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    OUTCROP_EXPECT(is_known(filters[i].id), fmt::format("filter {} has no encoder", filters[i].id));
    if (filters[i].id == fletcher32_filter) {
      append_checksum(encoded.bytes);
    } else if (filters[i].id == shuffle_filter) {
      next.resize(encoded.bytes.size());
      shuffle(encoded.bytes, next, element_bytes);
      std::swap(encoded.bytes, next);
    } else if (compress(filters[i], encoded.bytes, next)) {
      std::swap(encoded.bytes, next);
    } else {
      encoded.skipped |= std::uint32_t{1} << i;
    }
  }
  return encoded;
}

}  // namespace outcrop::io::codec
