// Colours of numbers: maps whose steps look equally large, and the scale that a map is drawn on.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace outcrop::tools {

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

namespace colour {
inline constexpr Colour paper{255, 255, 255};
inline constexpr Colour ink{32, 36, 44};
inline constexpr Colour no_data{150, 150, 150};
}  // namespace colour

enum class Colouring {
  sequential,  ///< dark to light
  diverging    ///< blue below zero, nearly white at zero, red above
};

/// `t` from 0 to 1; beyond, the colour of the end. Lightness grows evenly (diverging: towards the middle).
Colour colour_at(Colouring colouring, double t);

/// How numbers of a plane become colours.
struct ColourScale {
  Colouring colouring = Colouring::sequential;
  double lowest = 0;  ///< in `unit`
  double highest = 1;
  double factor = 1;      ///< from the plane's unit to `unit`
  std::string unit;       ///< empty: none
  double least_step = 0;  ///< between numbers written beside the colours: 1 for what is counted
};

/// The colours of a scale, worked out once for a whole map.
class ColourTable {
 public:
  explicit ColourTable(const ColourScale& scale);

  /// Of a number of the plane that is not NaN.
  Colour of(double value) const;

 private:
  static constexpr int steps = 1024;  ///< finer than a screen can show

  ColourScale scale_;
  std::array<Colour, steps + 1> colours_;
};

}  // namespace outcrop::tools
