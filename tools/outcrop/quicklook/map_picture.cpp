// All measures follow from the size of the map and of the letters.
#include "tools/outcrop/quicklook/map_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/outcrop/quicklook/scale.hpp"

namespace outcrop::tools {
namespace {

constexpr std::int64_t readable_side = 480;  ///< small images are enlarged to about this many dots
constexpr std::int64_t largest_zoom = 32;
constexpr std::int64_t thinnest_side = 48;  ///< a side of fewer dots is enlarged on its own
constexpr std::int64_t shortest_bar = 180;  ///< of the colour bar
constexpr std::int64_t longest_label = 7;   ///< letters beside the colour bar
constexpr std::int64_t longest_title = 32;  ///< letters
constexpr int footer_lines = 3;

struct Layout {
  explicit Layout(const MapGrid& grid) {
    const std::int64_t zoom =
        std::clamp<std::int64_t>(readable_side / std::max(grid.rows(), grid.cols()), 1, largest_zoom);
    row_zoom = std::max(zoom, (thinnest_side + grid.rows() - 1) / grid.rows());
    col_zoom = std::max(zoom, (thinnest_side + grid.cols() - 1) / grid.cols());
    const std::int64_t map_width = grid.cols() * col_zoom;
    const std::int64_t map_height = grid.rows() * row_zoom;
    letter = std::max(map_width, map_height) >= 640 ? 3 : 2;
    margin = 8 * letter;
    map = {margin, 2 * margin + Canvas::letter_height * letter, map_width, map_height};
    // The unit stands above the colour bar.
    const std::int64_t unit_line = Canvas::line_height * letter;
    bar = {map.x + map.width + 2 * margin, map.y + unit_line, 9 * letter,
           std::max(shortest_bar, map.height - unit_line)};
    const std::int64_t labels = Canvas::text_width(std::string(longest_label, '0'), letter) + 2 * margin;
    const std::int64_t title = Canvas::text_width(std::string(longest_title, 'M'), letter) + 2 * margin;
    width = std::max(bar.x + bar.width + labels, title);
    footer = std::max(map.y + map.height, bar.y + bar.height) + margin;
    height = footer + footer_lines * Canvas::line_height * letter + margin;
  }

  std::int64_t row_zoom = 1;
  std::int64_t col_zoom = 1;
  std::int64_t letter = 2;  ///< size of letters
  std::int64_t margin = 0;
  Box map;
  Box bar;
  std::int64_t footer = 0;  ///< first line below the map
  std::int64_t width = 0;
  std::int64_t height = 0;
};

void draw_cells(Canvas& canvas, const MapDrawing& d, const Layout& at) {
  const ColourTable colours(d.scale);
  for (std::int64_t row = 0; row < d.grid.rows(); ++row) {
    for (std::int64_t col = 0; col < d.grid.cols(); ++col) {
      const auto cell = static_cast<std::size_t>(row * d.grid.cols() + col);
      const float value = d.values[cell];
      const Colour colour =
          d.no_data[cell] || std::isnan(value) ? colour::no_data : colours.of(static_cast<double>(value));
      canvas.fill({at.map.x + col * at.col_zoom, at.map.y + row * at.row_zoom, at.col_zoom, at.row_zoom}, colour);
    }
  }
  canvas.frame(at.map, 1, colour::ink);
}

void draw_bar(Canvas& canvas, const MapDrawing& d, const Layout& at) {
  const Box& bar = at.bar;
  for (std::int64_t y = 0; y < bar.height; ++y) {
    const double t = 1 - (static_cast<double>(y) + 0.5) / static_cast<double>(bar.height);
    canvas.fill({bar.x, bar.y + y, bar.width, 1}, colour_at(d.scale.colouring, t));
  }
  canvas.frame(bar, 1, colour::ink);
  canvas.text(bar.x, bar.y - Canvas::line_height * at.letter, d.scale.unit, at.letter, colour::ink);
  const auto places = ticks(d.scale.lowest, d.scale.highest, 5, d.scale.least_step);
  const int decimals = places.size() > 1 ? decimals_for(places[1] - places[0]) : 0;
  for (const double place : places) {
    const double t = (place - d.scale.lowest) / (d.scale.highest - d.scale.lowest);
    const auto y = bar.y + std::lround((1 - t) * static_cast<double>(bar.height - 1));
    canvas.fill({bar.x + bar.width, y, 2 * at.letter, 1}, colour::ink);
    const std::string label = fmt::format("{:.{}f}", place, decimals);
    canvas.text(bar.x + bar.width + 4 * at.letter, y - Canvas::letter_height * at.letter / 2, label, at.letter,
                colour::ink);
  }
}

/// A square around the pixel, dark with a light rim, to be seen on any colour.
void draw_marker(Canvas& canvas, std::int64_t x, std::int64_t y, std::int64_t letter) {
  const std::int64_t half = 2 * letter;
  const Box box{x - half, y - half, 2 * half + 1, 2 * half + 1};
  canvas.frame({box.x + 1, box.y + 1, box.width - 2, box.height - 2}, 1, colour::paper);
  canvas.frame(box, letter - 1, colour::ink);
  canvas.frame({box.x - letter + 1, box.y - letter + 1, box.width + 2 * letter - 2, box.height + 2 * letter - 2}, 1,
               colour::paper);
}

void draw_reference(Canvas& canvas, const MapDrawing& d, const Layout& at) {
  if (!d.ground.reference) return;
  const auto [row, col] = *d.ground.reference;
  const auto middle = [](std::int64_t pixel, std::int64_t step, std::int64_t zoom) {
    return static_cast<std::int64_t>((static_cast<double>(pixel) + 0.5) * static_cast<double>(zoom) /
                                     static_cast<double>(step));
  };
  draw_marker(canvas, at.map.x + middle(col, d.grid.col_step(), at.col_zoom),
              at.map.y + middle(row, d.grid.row_step(), at.row_zoom), at.letter);
}

void draw_scale_bar(Canvas& canvas, const MapDrawing& d, const Layout& at) {
  const double dots_a_col = static_cast<double>(at.col_zoom) / static_cast<double>(d.grid.col_step());
  const ScaleBar bar = scale_bar(d.ground, std::max(1.0, static_cast<double>(d.grid.image_cols()) / 3));
  const auto length = std::max<std::int64_t>(2, std::lround(bar.cols * dots_a_col));
  const std::int64_t letter = at.letter;
  const std::int64_t middle = at.footer + Canvas::letter_height * letter / 2;
  canvas.fill({at.map.x, middle - letter / 2, length, letter}, colour::ink);
  canvas.fill({at.map.x, at.footer, letter, Canvas::letter_height * letter}, colour::ink);
  canvas.fill({at.map.x + length - letter, at.footer, letter, Canvas::letter_height * letter}, colour::ink);
  canvas.text(at.map.x + length + at.margin, at.footer, bar.label, letter, colour::ink);
}

void draw_legend(Canvas& canvas, const MapDrawing& d, const Layout& at) {
  const std::int64_t letter = at.letter;
  const std::int64_t line = Canvas::line_height * letter;
  const std::int64_t text_x = at.map.x + 2 * at.margin;
  std::string reference = "no reference pixel known";
  if (d.ground.reference) {
    reference = fmt::format("reference: row {}, column {}", d.ground.reference->first, d.ground.reference->second);
    draw_marker(canvas, at.map.x + 4 * letter, at.footer + line + 3 * letter, letter);
  }
  canvas.text(text_x, at.footer + line, reference, letter, colour::ink);
  const Box swatch{at.map.x + letter, at.footer + 2 * line, 7 * letter, Canvas::letter_height * letter};
  canvas.fill(swatch, colour::no_data);
  canvas.frame(swatch, 1, colour::ink);
  canvas.text(text_x, at.footer + 2 * line, "no data", letter, colour::ink);
}

}  // namespace

Canvas draw_map(const MapDrawing& drawing) {
  const Layout at(drawing.grid);
  Canvas canvas(at.width, at.height);
  canvas.text(at.margin, at.margin, drawing.title.substr(0, longest_title), at.letter, colour::ink);
  draw_cells(canvas, drawing, at);
  draw_bar(canvas, drawing, at);
  draw_reference(canvas, drawing, at);
  draw_scale_bar(canvas, drawing, at);
  draw_legend(canvas, drawing, at);
  return canvas;
}

std::int64_t largest_picture(const MapGrid& grid) {
  const Layout at(grid);
  return at.width * at.height;
}

}  // namespace outcrop::tools
