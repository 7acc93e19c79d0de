// Canvas: a picture that rectangles and text are drawn on.
#pragma once

#include <cstdint>
#include <string_view>

#include "io/png.hpp"
#include "tools/outcrop/quicklook/colours.hpp"

namespace outcrop::tools {

/// Column x and row y of the upper left dot; width and height in dots.
struct Box {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;
};

/// What lies outside is not drawn.
class Canvas {
 public:
  Canvas(std::int64_t width, std::int64_t height);

  void fill(const Box& box, Colour colour);
  void frame(const Box& box, std::int64_t thickness, Colour colour);  ///< around the box, outside of it

  /// The letters' upper left corner at (x, y); `size`: dots of the picture a dot of the font.
  void text(std::int64_t x, std::int64_t y, std::string_view letters, std::int64_t size, Colour colour);

  static std::int64_t text_width(std::string_view letters, std::int64_t size);
  static constexpr std::int64_t letter_height = 7;  ///< times the size: what stands on the line
  static constexpr std::int64_t line_height = 12;   ///< times the size: from line to line

  const io::Picture& picture() const { return picture_; }

 private:
  io::Picture picture_;
};

}  // namespace outcrop::tools
