// Expands and makes zlib streams ("gzip" in h5py's words) with libdeflate.
#include <fmt/format.h>
#include <libdeflate.h>

#include <memory>

#include "core/error.hpp"
#include "io/codec/codec.hpp"

namespace outcrop::io::codec {
namespace {

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

struct FreeCompressor {
  void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
};

/// One for each thread: it holds tables, and no result of one call reaches the next.
libdeflate_decompressor& decompressor() {
  thread_local const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> mine(libdeflate_alloc_decompressor());
  if (!mine) fail(Errc::out_of_memory, "allocating a zlib decompressor (some 20 kB) failed");
  return *mine;
}

}  // namespace

std::int64_t inflate(std::span<const std::byte> in, std::span<std::byte> out) {
  std::size_t consumed = 0;
  std::size_t written = 0;
  const auto result =
      libdeflate_zlib_decompress_ex(&decompressor(), in.data(), in.size(), out.data(), out.size(), &consumed, &written);
  if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
    fail(Errc::corrupt, fmt::format("expanding {} bytes of zlib data gives more than {} bytes", in.size(), out.size()));
  }
  if (result != LIBDEFLATE_SUCCESS) {
    fail(Errc::corrupt, fmt::format("expanding {} bytes of zlib data failed: the bytes are damaged", in.size()));
  }
  return static_cast<std::int64_t>(written);
}

std::int64_t deflate(std::span<const std::byte> in, std::span<std::byte> out, int level) {
  const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor(libdeflate_alloc_compressor(level));
  if (!compressor) fail(Errc::out_of_memory, fmt::format("allocating a zlib compressor of level {} failed", level));
  return static_cast<std::int64_t>(
      libdeflate_zlib_compress(compressor.get(), in.data(), in.size(), out.data(), out.size()));
}

}  // namespace outcrop::io::codec
