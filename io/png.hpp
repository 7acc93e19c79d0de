// Pictures and their PNG files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace outcrop::io {

/// Rows from the top, three bytes a pixel: red, green, blue (sRGB).
struct Picture {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::uint8_t> rgb;  ///< [height, width, 3]
};

/// The bytes of a PNG file. Throws Errc::internal when sizes disagree or libpng refuses.
std::vector<std::byte> encode_png(const Picture& picture);

}  // namespace outcrop::io
