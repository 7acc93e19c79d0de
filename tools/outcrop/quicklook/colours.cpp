// Colours on straight or evenly turning paths through the Oklab space (B. Ottosson, 2020), in which equal steps look
// equal.
#include "tools/outcrop/quicklook/colours.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace outcrop::tools {
namespace {

std::uint8_t gamma_encoded(double linear) {
  const double x = std::clamp(linear, 0.0, 1.0);
  const double encoded = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * encoded));
}

double cubed(double x) { return x * x * x; }

Colour from_oklab(double lightness, double chroma, double hue_deg) {
  const double hue = hue_deg * std::numbers::pi / 180;
  const double a = chroma * std::cos(hue);
  const double b = chroma * std::sin(hue);
  const double l = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {gamma_encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          gamma_encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          gamma_encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/// Indigo over teal to pale yellow; less chroma in the middle, where the screen has none for teal.
Colour sequential(double t) {
  const double middle = 2 * t - 1;
  return from_oklab(0.28 + 0.66 * t, 0.095 + 0.055 * middle * middle, 285 - 180 * t);
}

Colour diverging(double t) {
  const double from_zero = std::abs(2 * t - 1);
  return from_oklab(0.97 - 0.52 * from_zero, 0.155 * from_zero, t < 0.5 ? 255 : 30);
}

}  // namespace

Colour colour_at(Colouring colouring, double t) {
  const double inside = std::clamp(t, 0.0, 1.0);
  return colouring == Colouring::sequential ? sequential(inside) : diverging(inside);
}

ColourTable::ColourTable(const ColourScale& scale) : scale_(scale) {
  for (int i = 0; i <= steps; ++i) {
    colours_[static_cast<std::size_t>(i)] = colour_at(scale.colouring, static_cast<double>(i) / steps);
  }
}

Colour ColourTable::of(double value) const {
  const double t = (value * scale_.factor - scale_.lowest) / (scale_.highest - scale_.lowest);
  return colours_[static_cast<std::size_t>(std::lround(std::clamp(t, 0.0, 1.0) * steps))];
}

}  // namespace outcrop::tools
