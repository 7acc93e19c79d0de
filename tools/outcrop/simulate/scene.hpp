// What a simulated scene is made from: the options of `outcrop simulate`, the network and the numbers of a satellite.
#pragma once

#include <cstdint>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "core/tile.hpp"
#include "tools/outcrop/simulate/layout.hpp"
#include "tools/outcrop/simulate/network.hpp"

namespace outcrop::tools {

struct SimulateOptions {
  std::string dir;
  std::int64_t rows = 300;
  std::int64_t cols = 400;
  NetworkOptions network;
  double noise = 1;         ///< scale of the decorrelation noise; 0: phases without noise
  double nan_frac = 0;      ///< share of samples that are NaN
  double cut_frac = 0;      ///< share of pixels whose NaNs cut their network in two
  double isolate_frac = 0;  ///< share of pixels that have no pair with one of the dates
  bool bperp3d = false;     ///< geometry with a baseline for each pixel and date
  std::optional<TileRect> zero_block;
  std::optional<TileRect> water;
  std::uint64_t seed = 1;
  int threads = 0;          ///< 0: one for each processor
  std::string chunks;       ///< see make_layout()
  std::string compression;  ///< see make_layout()
  bool fletcher32 = false;
};

/// What became of a pixel's network; the values of /pixelKind in truth.h5.
enum class PixelKind : std::uint8_t { whole = 0, cut = 1, isolated_date = 2, zero = 3, water = 4 };

/// The same for all pixels. Sentinel-1-like numbers.
struct Scene {
  SimulateOptions options;
  Network network;
  Layout layout;  ///< of the stack and the geometry
  std::int64_t reference_row = 0;
  std::int64_t reference_col = 0;

  static constexpr double wavelength_m = 0.05546576;
  static constexpr double radians_per_metre = -4 * std::numbers::pi / wavelength_m;
  static constexpr double starting_range_m = 833000.5;
  static constexpr double earth_radius_m = 6337286.6;
  static constexpr double height_m = 698834.2;
  static constexpr int azimuth_looks = 3;
  static constexpr int range_looks = 9;
  static constexpr double independent_looks = 14;  // azimuth x range looks / 1.94, rounded
  double range_pixel_size_m = 0;

  std::int64_t rows() const { return options.rows; }
  std::int64_t cols() const { return options.cols; }
  bool is_reference(std::int64_t row, std::int64_t col) const { return row == reference_row && col == reference_col; }
};

/// Checks the options, makes the network and chooses the reference pixel: the one nearest the centre, reading on from
/// there, that lies neither in water nor in the block of zeros.
/// Throws: Errc::usage naming the flag.
Scene make_scene(const SimulateOptions& options);

}  // namespace outcrop::tools
