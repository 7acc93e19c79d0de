// The letters on the maps: a small font of our own, five dots wide.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace outcrop::tools {

struct Glyph {
  static constexpr int width = 5;
  static constexpr int height = 9;  ///< seven above the line and two below it
  std::array<std::uint8_t, height> rows{};

  bool dot(int row, int column) const { return (rows[static_cast<std::size_t>(row)] >> (width - 1 - column) & 1) != 0; }
};

/// The letter; an empty box for one that the font has not.
const Glyph& glyph_of(char letter);

/// Whether the font has every letter of the text.
bool can_write(std::string_view text);

}  // namespace outcrop::tools
