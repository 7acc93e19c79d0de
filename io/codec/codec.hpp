// Codecs: stored bytes to plain bytes and back, one function a filter. Pure: no state, no file, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace outcrop::io::codec {

/// Numbers of the HDF5 filters that are known here (registered with The HDF Group).
inline constexpr int deflate_filter = 1;
inline constexpr int shuffle_filter = 2;
inline constexpr int fletcher32_filter = 3;
inline constexpr int lzf_filter = 32000;

/// Expands a zlib stream into `out`, which may be larger than needed. Bytes after the end of the stream are ignored, as
/// zlib itself ignores them.
/// Gives: bytes written. Throws: Errc::corrupt when the stream is damaged, cut off or too long for `out`.
std::int64_t inflate(std::span<const std::byte> in, std::span<std::byte> out);

/// Expands LZF data into `out`, which may be larger than needed.
/// Gives: bytes written. Throws: Errc::corrupt when the data are damaged or too long for `out`.
std::int64_t expand_lzf(std::span<const std::byte> in, std::span<std::byte> out);

/// Make zlib or LZF data. Equal input gives equal bytes. Give: bytes written; 0 when they do not fit into `out`.
std::int64_t deflate(std::span<const std::byte> in, std::span<std::byte> out, int level);
std::int64_t compress_lzf(std::span<const std::byte> in, std::span<std::byte> out);

/// Puts the first bytes of all elements first, then the second ones ...; what unshuffle() undoes.
/// Expects: `out` as long as `in` and apart from it, element_bytes > 0.
void shuffle(std::span<const std::byte> in, std::span<std::byte> out, std::int64_t element_bytes);

/// Puts the bytes of each element together again. Bytes beyond the last whole element keep their place.
/// Expects: `out` as long as `in` and apart from it, element_bytes > 0.
void unshuffle(std::span<const std::byte> in, std::span<std::byte> out, std::int64_t element_bytes);

/// Fletcher's checksum as HDF5 computes it: of big-endian 16-bit words, an odd last byte being the high half of one.
std::uint32_t fletcher32(std::span<const std::byte> data);

/// Checks the little-endian checksum in the last four bytes.
/// Gives: the bytes before it. Throws: Errc::corrupt when it is wrong or there is no room for it.
std::span<const std::byte> verify_fletcher32(std::span<const std::byte> data);

}  // namespace outcrop::io::codec
