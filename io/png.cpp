// libpng's simplified interface: it needs no longjmp, and says in words what went wrong.
#include "io/png.hpp"

#include <fmt/format.h>
#include <png.h>

#include <limits>

#include "core/check.hpp"

namespace outcrop::io {
namespace {

[[noreturn]] void refuse(const Picture& picture, const png_image& image) {
  fail(Errc::internal, fmt::format("encoding a picture of {} x {} pixels as PNG: libpng says '{}'", picture.width,
                                   picture.height, std::string(image.message)));
}

}  // namespace

std::vector<std::byte> encode_png(const Picture& picture) {
  constexpr std::int64_t longest = std::numeric_limits<std::int32_t>::max() / 4;
  OUTCROP_EXPECT(picture.width > 0 && picture.height > 0 && picture.width < longest && picture.height < longest,
                 "a picture needs positive sizes");
  OUTCROP_EXPECT(static_cast<std::int64_t>(picture.rgb.size()) == 3 * picture.width * picture.height,
                 "a picture has three bytes a pixel");
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::byte> bytes(size);
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.rgb.data(), 0, nullptr) == 0) {
    refuse(picture, image);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace outcrop::io
