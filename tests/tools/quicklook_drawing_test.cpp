// Colours, letters and maps.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tools/outcrop/quicklook/bar_chart.hpp"
#include "tools/outcrop/quicklook/font.hpp"
#include "tools/outcrop/quicklook/map_picture.hpp"

using namespace outcrop;
using namespace outcrop::tools;

namespace {

double linear(std::uint8_t encoded) {
  const double x = encoded / 255.0;
  return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

/// CIE lightness L*: an account of what looks bright that the colour maps were not made with.
double lightness(Colour c) {
  const double y = 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

Colour dot(const io::Picture& picture, std::int64_t x, std::int64_t y) {
  const auto at = static_cast<std::size_t>(3 * (y * picture.width + x));
  return {picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]};
}

std::int64_t count(const io::Picture& picture, Colour colour) {
  std::int64_t dots = 0;
  for (std::int64_t y = 0; y < picture.height; ++y) {
    for (std::int64_t x = 0; x < picture.width; ++x) dots += dot(picture, x, y) == colour ? 1 : 0;
  }
  return dots;
}

io::Picture map_of(std::int64_t rows, std::int64_t cols, const std::vector<float>& values, const Ground& ground = {}) {
  const MapGrid grid(rows, cols);
  const std::vector<bool> no_data(static_cast<std::size_t>(grid.cells()));
  const ColourScale scale{Colouring::diverging, -2, 2, 1, "cm", 0};
  return draw_map({grid, values, no_data, scale, "Displacement 2020-01-01", ground}).picture();
}

}  // namespace

TEST_CASE("the sequential colours grow lighter in even steps") {
  constexpr int steps = 20;
  const double all = lightness(colour_at(Colouring::sequential, 1)) - lightness(colour_at(Colouring::sequential, 0));
  CHECK(all > 60);
  for (int i = 0; i < steps; ++i) {
    const double step = lightness(colour_at(Colouring::sequential, (i + 1.0) / steps)) -
                        lightness(colour_at(Colouring::sequential, 1.0 * i / steps));
    CHECK(step > 0.6 * all / steps);
    CHECK(step < 1.4 * all / steps);
  }
}

TEST_CASE("the diverging colours are neutral at zero, as dark on both sides, and blue below, red above") {
  const Colour middle = colour_at(Colouring::diverging, 0.5);
  CHECK(middle.red == middle.green);
  CHECK(middle.green == middle.blue);
  for (double t = 0.05; t < 0.5; t += 0.05) {
    const Colour below = colour_at(Colouring::diverging, 0.5 - t);
    const Colour above = colour_at(Colouring::diverging, 0.5 + t);
    CHECK(below.blue > below.red);
    CHECK(above.red > above.blue);
    CHECK(std::abs(lightness(below) - lightness(above)) < 8);
  }
}

TEST_CASE("numbers beyond a scale have the colour of its end") {
  const ColourTable colours({Colouring::diverging, -5, 5, 100, "cm", 0});
  CHECK(colours.of(0.05) == colour_at(Colouring::diverging, 1));
  CHECK(colours.of(7) == colour_at(Colouring::diverging, 1));
  CHECK(colours.of(-std::numeric_limits<double>::infinity()) == colour_at(Colouring::diverging, 0));
  CHECK(colours.of(0) == colour_at(Colouring::diverging, 0.5));
}

TEST_CASE("the font has what maps say, each letter another, and a box for the rest") {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:-+/%()<=>_'";
  CHECK(can_write(letters));
  CHECK_FALSE(can_write("\xc3\xa9"));
  for (const char a : letters) {
    for (const char b : letters) {
      if (a != b) CHECK_MESSAGE(glyph_of(a).rows != glyph_of(b).rows, a << " and " << b);
    }
  }
  CHECK(glyph_of('\x01').rows == glyph_of('\xff').rows);
}

TEST_CASE("text takes the place that its width says and is cut at the edge") {
  Canvas canvas(40, 20);
  canvas.text(1, 1, "Hg", 2, colour::ink);
  CHECK(Canvas::text_width("Hg", 2) == 22);
  CHECK(dot(canvas.picture(), 1, 1) == colour::ink);
  CHECK(dot(canvas.picture(), 0, 1) == colour::paper);
  for (std::int64_t y = 0; y < 20; ++y) CHECK(dot(canvas.picture(), 1 + 22, y) == colour::paper);
  canvas.text(-100, -100, "everything is outside", 3, colour::ink);
  canvas.text(30, 15, "most of this is outside", 3, colour::ink);
}

TEST_CASE("a map has its numbers' colours, grey where there are none, and a mark at the reference pixel") {
  Ground ground;
  ground.reference = {1, 0};
  const float none = std::numeric_limits<float>::quiet_NaN();
  const io::Picture plain = map_of(2, 3, {-2, 0, 2, none, 0.5F, -0.5F});
  const std::int64_t zoom = 32;
  CHECK(count(plain, colour_at(Colouring::diverging, 0)) >= zoom * zoom);
  CHECK(count(plain, colour_at(Colouring::diverging, 1)) >= zoom * zoom);
  CHECK(count(plain, colour::no_data) > zoom * zoom);
  const io::Picture marked = map_of(2, 3, {-2, 0, 2, 0, 0.5F, -0.5F}, ground);
  CHECK(marked.rgb != map_of(2, 3, {-2, 0, 2, 0, 0.5F, -0.5F}).rgb);
}

TEST_CASE("maps of any shape are drawn, are not too small to see, and fit the plan") {
  for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 100000}, {100000, 1}, {1000, 4}, {800, 800}, {300, 400}}) {
    const MapGrid grid(rows, cols);
    const io::Picture picture = map_of(rows, cols, std::vector<float>(static_cast<std::size_t>(grid.cells()), 1.0F));
    CHECK(picture.width * picture.height == largest_picture(grid));
    CHECK(picture.width >= 300);
    CHECK(picture.height >= 200);
    CHECK(picture.width <= 1400);
    CHECK(picture.height <= 1400);
  }
}

TEST_CASE("bars are drawn for one date and for thousands, with gaps where there is no number") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t dates : {1U, 2U, 5U, 40U, 5000U}) {
    BarChart chart{"RMS", "mm", std::vector<double>(dates, 2.5), std::vector<std::string>(dates, "2020-01-01")};
    const io::Picture full = draw_bars(chart).picture();
    chart.heights[dates / 2] = none;
    chart.labels[0] = std::string(5000, 'x');
    const io::Picture gap = draw_bars(chart).picture();
    CHECK(gap.width == full.width);
    CHECK(gap.rgb != full.rgb);
  }
  CHECK_NOTHROW(draw_bars({"RMS", "mm", {none, none}, {"a", "b"}}));
  CHECK_NOTHROW(draw_bars({"RMS", "mm", {0, 0}, {"a", "b"}}));
}
