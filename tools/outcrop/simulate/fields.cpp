// The physics of a simulated scene, row by row.
#include "tools/outcrop/simulate/fields.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tools/outcrop/simulate/smooth.hpp"

namespace outcrop::tools {
namespace {

constexpr double days_per_year = 365.25;

// Lattice cells along the longer side, and amplitudes. Atmosphere: a wide and a fine part, as its spectrum falls
// steeply.
constexpr double wide_cells = 4;
constexpr double fine_cells = 24;
constexpr float atmosphere_wide_m = 0.006F;
constexpr float atmosphere_fine_m = 0.0015F;
constexpr float dem_error_m = 8;
constexpr float season_m = 0.004F;
constexpr double season_shift_rad = 0.7;

/// A subsiding bowl and an uplifting dome.
struct Bump {
  double row;  // of the raster's height, as radius is of its longer side
  double col;
  double radius;
  double peak_m_per_yr;
};
constexpr Bump bumps[] = {{0.38, 0.34, 0.13, -0.045}, {0.68, 0.72, 0.20, 0.025}};

/// One row of a tile at a time.
class RowEvaluator {
 public:
  RowEvaluator(const Scene& scene, const TileRect& rect, FieldTile& tile)
      : scene_(scene),
        rect_(rect),
        tile_(tile),
        side_(std::max(scene.rows(), scene.cols())),
        wide_(wide_cells, side_, rect.col, rect.cols),
        fine_(fine_cells, side_, rect.col, rect.cols),
        season_(static_cast<std::size_t>(rect.cols)),
        per_range_sine_(static_cast<std::size_t>(rect.cols)) {}

  void run(std::int64_t row) {
    row_ = row;
    offset_ = (row - rect_.row) * rect_.cols;
    geometry();
    maps();
    dates();
  }

 private:
  RandomStream stream(Stream name, std::int64_t layer = 0) const { return {scene_.options.seed, name, layer}; }
  float* at(std::vector<float>& plane, std::int64_t layer = 0) const {
    return plane.data() + layer * rect_.pixels() + offset_;
  }

  /// Incidence from the triangle of satellite, pixel and the centre of the earth.
  void geometry() {
    for (std::int64_t c = 0; c < rect_.cols; ++c) {
      const double range = Scene::starting_range_m + scene_.range_pixel_size_m * static_cast<double>(rect_.col + c);
      const double orbit = Scene::earth_radius_m + Scene::height_m;
      const double cosine = (Scene::earth_radius_m * Scene::earth_radius_m + range * range - orbit * orbit) /
                            (2 * Scene::earth_radius_m * range);
      at(tile_.slant_range)[c] = static_cast<float>(range);
      at(tile_.incidence)[c] = static_cast<float>(180 - std::acos(cosine) * 180 / std::numbers::pi);
      per_range_sine_[static_cast<std::size_t>(c)] = static_cast<float>(1 / (range * std::sqrt(1 - cosine * cosine)));
    }
  }

  void maps() {
    float* height = at(tile_.height);
    float* coherence = at(tile_.coherence);
    std::fill_n(height, rect_.cols, 700.0F);
    std::fill_n(coherence, rect_.cols, 0.72F);
    std::fill_n(at(tile_.dem_error), rect_.cols, 0.0F);
    std::fill(season_.begin(), season_.end(), 0.0F);
    wide_.add_row(stream(Stream::height), row_, 300, height);
    fine_.add_row(stream(Stream::height, 1), row_, 60, height);
    fine_.add_row(stream(Stream::coherence), row_, 0.18F, coherence);
    fine_.add_row(stream(Stream::dem_error), row_, dem_error_m, at(tile_.dem_error));
    wide_.add_row(stream(Stream::season), row_, season_m, season_.data());
    for (std::int64_t c = 0; c < rect_.cols; ++c) {
      coherence[c] = std::clamp(coherence[c], 0.2F, 0.98F);
      at(tile_.velocity)[c] = static_cast<float>(velocity(rect_.col + c));
    }
  }

  double velocity(std::int64_t col) const {
    double sum = 0;
    for (const Bump& bump : bumps) {
      const double side = static_cast<double>(side_) * bump.radius;
      const double y = (static_cast<double>(row_) - bump.row * static_cast<double>(scene_.rows())) / side;
      const double x = (static_cast<double>(col) - bump.col * static_cast<double>(scene_.cols())) / side;
      sum += bump.peak_m_per_yr * std::exp(-0.5 * (x * x + y * y));
    }
    return sum;
  }

  void dates() {
    for (std::int64_t d = 0; d < scene_.network.num_dates(); ++d) one_date(d);
    float* first = at(tile_.series);
    for (std::int64_t d = scene_.network.num_dates() - 1; d >= 0; --d) {
      float* series = at(tile_.series, d);
      for (std::int64_t c = 0; c < rect_.cols; ++c) series[c] -= first[c];
    }
  }

  void one_date(std::int64_t d) {
    const double years = scene_.network.days[static_cast<std::size_t>(d)] / days_per_year;
    const double turn = 2 * std::numbers::pi * years + season_shift_rad;
    const auto season = static_cast<float>(std::sin(turn) - std::sin(season_shift_rad));
    float* displacement = at(tile_.displacement, d);
    float* series = at(tile_.series, d);
    std::fill_n(series, rect_.cols, 0.0F);
    wide_.add_row(stream(Stream::atmosphere_wide, d), row_, atmosphere_wide_m, series);
    fine_.add_row(stream(Stream::atmosphere_fine, d), row_, atmosphere_fine_m, series);
    for (std::int64_t c = 0; c < rect_.cols; ++c) {
      displacement[c] =
          at(tile_.velocity)[c] * static_cast<float>(years) + season_[static_cast<std::size_t>(c)] * season;
      series[c] += displacement[c] + topographic(d, c);
    }
  }

  /// Range change [m] of the DEM error: bperp / (R sin theta) x error.
  float topographic(std::int64_t d, std::int64_t c) const {
    const auto bperp = static_cast<float>(baseline(d, rect_.col + c));
    if (!tile_.bperp.empty()) at(tile_.bperp, d)[c] = bperp;
    return bperp * per_range_sine_[static_cast<std::size_t>(c)] * at(tile_.dem_error)[c];
  }

  /// 3-D: the baseline changes by a tenth across the swath and a little along the track.
  double baseline(std::int64_t d, std::int64_t col) const {
    const double bperp = scene_.network.bperp_m[static_cast<std::size_t>(d)];
    if (!scene_.options.bperp3d) return bperp;
    const double across = static_cast<double>(col) / static_cast<double>(scene_.cols()) - 0.5;
    const double along = static_cast<double>(row_) / static_cast<double>(scene_.rows()) - 0.5;
    return bperp * (1 + 0.1 * across) + 2 * along;
  }

  const Scene& scene_;
  const TileRect& rect_;
  FieldTile& tile_;
  std::int64_t side_;
  LatticeColumns wide_;
  LatticeColumns fine_;
  std::vector<float> season_;          ///< [cols] m
  std::vector<float> per_range_sine_;  ///< [cols] 1 / (R sin theta), 1/m
  std::int64_t row_ = 0;
  std::int64_t offset_ = 0;
};

}  // namespace

void evaluate_fields(const Scene& scene, const TileRect& rect, FieldTile& tile) {
  const auto pixels = static_cast<std::size_t>(rect.pixels());
  const std::size_t layers = scene.network.dates.size();
  for (auto* map :
       {&tile.velocity, &tile.dem_error, &tile.height, &tile.incidence, &tile.slant_range, &tile.coherence}) {
    map->resize(pixels);
  }
  tile.displacement.resize(layers * pixels);
  tile.series.resize(layers * pixels);
  tile.bperp.resize(scene.options.bperp3d ? layers * pixels : 0);
  RowEvaluator evaluator(scene, rect, tile);
  for (std::int64_t row = rect.row; row < rect.row + rect.rows; ++row) evaluator.run(row);
}

}  // namespace outcrop::tools
