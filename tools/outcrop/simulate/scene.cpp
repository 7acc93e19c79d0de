// Checks of the options and the choice of the reference pixel.
#include "tools/outcrop/simulate/scene.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace outcrop::tools {
namespace {

void check_fraction(double value, const char* flag) {
  if (value >= 0 && value <= 1) return;
  fail(Errc::usage, fmt::format("simulating a scene: {} is {}, but it must be between 0 and 1", flag, value));
}

void check_rect(const std::optional<TileRect>& rect, const SimulateOptions& options, const char* flag) {
  if (!rect) return;
  const bool inside = rect->row >= 0 && rect->col >= 0 && rect->rows > 0 && rect->cols > 0 &&
                      rect->row + rect->rows <= options.rows && rect->col + rect->cols <= options.cols;
  if (inside) return;
  fail(Errc::usage, fmt::format("simulating a scene: {} is {},{},{},{}, but it must be first row, row after the last, "
                                "first column, column after the last, inside {} x {} pixels",
                                flag, rect->row, rect->row + rect->rows, rect->col, rect->col + rect->cols,
                                options.rows, options.cols));
}

void check(const SimulateOptions& options) {
  if (options.dir.empty()) fail(Errc::usage, "simulating a scene needs the folder to write it to");
  if (options.rows < 1 || options.cols < 1) {
    fail(Errc::usage, fmt::format("simulating a scene: --rows {} --cols {} leaves no pixel; both must be at least 1",
                                  options.rows, options.cols));
  }
  if (!(options.noise >= 0)) {
    fail(Errc::usage, fmt::format("simulating a scene: --noise is {}, but it must be 0 or more", options.noise));
  }
  check_fraction(options.nan_frac, "--nan");
  check_fraction(options.cut_frac, "--cut-frac");
  check_fraction(options.isolate_frac, "--isolate-frac");
  check_rect(options.zero_block, options, "--zero-block");
  check_rect(options.water, options, "--water");
}

}  // namespace

Scene make_scene(const SimulateOptions& options) {
  check(options);
  Scene scene;
  scene.options = options;
  scene.network = make_network(options.network, options.seed);
  scene.layout = make_layout(options.chunks, options.compression, options.fletcher32,
                             {scene.network.num_pairs(), options.rows, options.cols});
  scene.range_pixel_size_m = std::min(20.966055, 250000.0 / static_cast<double>(options.cols));
  const std::int64_t pixels = options.rows * options.cols;
  const std::int64_t centre = options.rows / 2 * options.cols + options.cols / 2;
  for (std::int64_t n = 0; n < pixels; ++n) {
    const std::int64_t row = (centre + n) % pixels / options.cols;
    const std::int64_t col = (centre + n) % pixels % options.cols;
    const bool spoilt = (options.zero_block && options.zero_block->contains(row, col)) ||
                        (options.water && options.water->contains(row, col));
    if (spoilt) continue;
    scene.reference_row = row;
    scene.reference_col = col;
    return scene;
  }
  fail(Errc::usage, "simulating a scene: --zero-block and --water leave no pixel for the reference");
}

}  // namespace outcrop::tools
