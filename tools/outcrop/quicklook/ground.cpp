// MintPy's attributes of geocoded files (X_STEP ...) and of files in radar geometry (RANGE_PIXEL_SIZE ...).
#include "tools/outcrop/quicklook/ground.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "io/python_text.hpp"
#include "tools/outcrop/quicklook/scale.hpp"

namespace outcrop::tools {
namespace {

constexpr double metres_a_degree = 111320;  ///< of latitude; a scale bar needs no ellipsoid

std::optional<double> number(const io::Attributes& attributes, const char* name) {
  const auto text = attributes.get(name);
  double value = 0;
  if (!text || !io::parse_number(*text, value) || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<double> size(const io::Attributes& attributes, const char* name) {
  const auto value = number(attributes, name);
  return value && *value != 0 ? std::optional(std::abs(*value)) : std::nullopt;
}

bool in_metres(const io::Attributes& attributes) {
  const std::string unit = attributes.get("X_UNIT").value_or("degrees");
  return !unit.empty() && (unit[0] == 'm' || unit[0] == 'M');
}

void set_map_sizes(const io::Attributes& attributes, std::int64_t rows, Ground& ground) {
  ground.row_direction = "north-south";
  ground.col_direction = "east-west";
  ground.row_m = size(attributes, "Y_STEP");
  ground.col_m = size(attributes, "X_STEP");
  if (in_metres(attributes)) return;
  const auto first = number(attributes, "Y_FIRST");
  const double latitude = first.value_or(90) + number(attributes, "Y_STEP").value_or(0) * static_cast<double>(rows) / 2;
  if (ground.row_m) *ground.row_m *= metres_a_degree;
  if (!first || std::abs(latitude) >= 89) {
    ground.col_m.reset();
  } else if (ground.col_m) {
    *ground.col_m *= metres_a_degree * std::cos(latitude * std::numbers::pi / 180);
  }
}

void set_reference(const io::Attributes& attributes, std::int64_t rows, std::int64_t cols, Ground& ground) {
  const auto row = number(attributes, "REF_Y");
  const auto col = number(attributes, "REF_X");
  if (!row || !col || *row < 0 || *col < 0) return;
  if (*row >= static_cast<double>(rows) || *col >= static_cast<double>(cols)) return;
  ground.reference = {static_cast<std::int64_t>(*row), static_cast<std::int64_t>(*col)};
}

std::string metres_text(double metres) {
  return metres < 1000 ? fmt::format("{:.3g} m", metres) : fmt::format("{:.4g} km", metres / 1000);
}

}  // namespace

Ground ground_of(const io::Attributes& attributes, std::int64_t rows, std::int64_t cols) {
  Ground ground;
  if (size(attributes, "X_STEP") && size(attributes, "Y_STEP")) {
    set_map_sizes(attributes, rows, ground);
  } else {
    ground.row_direction = "azimuth";
    ground.col_direction = "slant range";
    ground.row_m = size(attributes, "AZIMUTH_PIXEL_SIZE");
    ground.col_m = size(attributes, "RANGE_PIXEL_SIZE");
  }
  set_reference(attributes, rows, cols, ground);
  return ground;
}

std::string pixel_size_text(const Ground& ground) {
  std::string text;
  if (ground.row_m) text = fmt::format("{} {}", metres_text(*ground.row_m), ground.row_direction);
  if (ground.col_m) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " x ", metres_text(*ground.col_m), ground.col_direction);
  }
  return text;
}

ScaleBar scale_bar(const Ground& ground, double most_cols) {
  if (ground.col_m) {
    const double metres = round_below(most_cols * *ground.col_m);
    return {metres / *ground.col_m, fmt::format("{} {}", metres_text(metres), ground.col_direction)};
  }
  const double cols = std::max(1.0, round_below(most_cols));
  return {cols, fmt::format("{:.0f} column{}", cols, cols > 1 ? "s" : "")};
}

}  // namespace outcrop::tools
