// Expands LZF data, which h5py writes for compression="lzf", with liblzf.
#include <fmt/format.h>
#include <liblzf/lzf.h>

#include <cerrno>
#include <limits>

#include "core/error.hpp"
#include "io/codec/codec.hpp"

namespace outcrop::io::codec {

std::int64_t expand_lzf(std::span<const std::byte> in, std::span<std::byte> out) {
  constexpr std::size_t most = std::numeric_limits<unsigned>::max();
  if (in.empty() || in.size() > most || out.size() > most) {
    fail(Errc::corrupt, fmt::format("expanding LZF data failed: {} bytes cannot be a chunk", in.size()));
  }
  errno = 0;
  const unsigned written =
      lzf_decompress(in.data(), static_cast<unsigned>(in.size()), out.data(), static_cast<unsigned>(out.size()));
  if (written == 0 && errno == E2BIG) {
    fail(Errc::corrupt, fmt::format("expanding {} bytes of LZF data gives more than {} bytes", in.size(), out.size()));
  }
  if (written == 0) {
    fail(Errc::corrupt, fmt::format("expanding {} bytes of LZF data failed: the bytes are damaged", in.size()));
  }
  return written;
}

}  // namespace outcrop::io::codec
