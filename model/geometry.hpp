// The geometry of a whole scene from the numbers that its metadata give.
#pragma once

#include <cstdint>
#include <optional>

namespace outcrop::model {

/// What metadata say; nothing: absent.
struct SceneGeometry {
  std::optional<double> starting_range_m;
  std::optional<double> range_pixel_size_m;
  std::optional<double> center_incidence_deg;
  std::optional<double> earth_radius_m;
  std::optional<double> height_m;  ///< of the satellite
  std::int64_t num_cols = 0;
};

/// The angle at the centre, or the mean of those at the near and the far edge. nullopt: something is missing, or the
/// numbers make no triangle.
std::optional<double> incidence_deg(const SceneGeometry& scene);

/// The range of the centre, rounded to float32.
std::optional<double> slant_range_m(const SceneGeometry& scene);

}  // namespace outcrop::model
