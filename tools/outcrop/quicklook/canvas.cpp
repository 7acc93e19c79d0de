// Everything is made of filled rectangles.
#include "tools/outcrop/quicklook/canvas.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "tools/outcrop/quicklook/font.hpp"

namespace outcrop::tools {
namespace {

constexpr std::int64_t letter_step = Glyph::width + 1;

}  // namespace

Canvas::Canvas(std::int64_t width, std::int64_t height) {
  OUTCROP_EXPECT(width > 0 && height > 0, "a canvas needs positive sizes");
  picture_ = {width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * width * height))};
  fill({0, 0, width, height}, colour::paper);
}

void Canvas::fill(const Box& box, Colour colour) {
  const std::int64_t left = std::max<std::int64_t>(0, box.x);
  const std::int64_t right = std::min(picture_.width, box.x + box.width);
  const std::int64_t bottom = std::min(picture_.height, box.y + box.height);
  for (std::int64_t y = std::max<std::int64_t>(0, box.y); y < bottom; ++y) {
    for (std::int64_t x = left; x < right; ++x) {
      auto* dot = &picture_.rgb[static_cast<std::size_t>(3 * (y * picture_.width + x))];
      dot[0] = colour.red;
      dot[1] = colour.green;
      dot[2] = colour.blue;
    }
  }
}

void Canvas::frame(const Box& box, std::int64_t thickness, Colour colour) {
  const std::int64_t t = thickness;
  fill({box.x - t, box.y - t, box.width + 2 * t, t}, colour);
  fill({box.x - t, box.y + box.height, box.width + 2 * t, t}, colour);
  fill({box.x - t, box.y, t, box.height}, colour);
  fill({box.x + box.width, box.y, t, box.height}, colour);
}

void Canvas::text(std::int64_t x, std::int64_t y, std::string_view letters, std::int64_t size, Colour colour) {
  for (const char letter : letters) {
    const Glyph& glyph = glyph_of(letter);
    for (int row = 0; row < Glyph::height; ++row) {
      for (int column = 0; column < Glyph::width; ++column) {
        if (glyph.dot(row, column)) fill({x + column * size, y + row * size, size, size}, colour);
      }
    }
    x += letter_step * size;
  }
}

std::int64_t Canvas::text_width(std::string_view letters, std::int64_t size) {
  const auto count = static_cast<std::int64_t>(letters.size());
  return count == 0 ? 0 : (count * letter_step - 1) * size;
}

}  // namespace outcrop::tools
