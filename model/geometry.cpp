// The geometry of a whole scene from the numbers that its metadata give.
#include "model/geometry.hpp"

#include <cmath>
#include <numbers>

namespace outcrop::model {
namespace {

constexpr double mean_earth_radius_m = 6371008.8;

/// Angle between the line of sight and the vertical on the ground, from the triangle of the Earth's centre, the
/// satellite and the ground.
double incidence_at(double range_m, double radius_m, double height_m) {
  const double orbit_m = radius_m + height_m;
  const double cosine = (radius_m * radius_m + range_m * range_m - orbit_m * orbit_m) / (2 * radius_m * range_m);
  return 180 - std::acos(cosine) * 180 / std::numbers::pi;
}

}  // namespace

std::optional<double> incidence_deg(const SceneGeometry& scene) {
  if (scene.center_incidence_deg) return scene.center_incidence_deg;
  if (!scene.starting_range_m || !scene.range_pixel_size_m || !scene.height_m) return std::nullopt;
  const double radius_m = scene.earth_radius_m.value_or(mean_earth_radius_m);
  const double near_m = *scene.starting_range_m;
  const double far_m = near_m + *scene.range_pixel_size_m * static_cast<double>(scene.num_cols);
  const double mean =
      (incidence_at(near_m, radius_m, *scene.height_m) + incidence_at(far_m, radius_m, *scene.height_m)) / 2;
  return std::isfinite(mean) ? std::optional<double>(mean) : std::nullopt;
}

std::optional<double> slant_range_m(const SceneGeometry& scene) {
  if (!scene.starting_range_m || !scene.range_pixel_size_m) return std::nullopt;
  const double middle = static_cast<double>(scene.num_cols - 1) / 2;
  return static_cast<double>(static_cast<float>(*scene.starting_range_m + *scene.range_pixel_size_m * middle));
}

}  // namespace outcrop::model
