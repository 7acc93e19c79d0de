// PixelStatus: what became of a pixel. A pixel that cannot be solved is data, never an exception.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace outcrop {

/// The values are those of the status map a user can ask for; never renumber them.
enum class PixelStatus : std::uint8_t {
  ok = 0,            ///< solved, full rank
  min_norm = 1,      ///< solved, rank-deficient: the minimum-norm answer
  masked = 2,        ///< left out by a water or quality mask
  no_data = 3,       ///< no usable sample at all
  too_few = 4,       ///< fewer observations than minRedundancy asks for
  bad_geometry = 5,  ///< incidence angle or slant range missing
};
inline constexpr int num_pixel_status = 6;

/// What a batched program writes into the plane "status" where it could not tell the rank; not in its tally. Such
/// pixels are solved again by the reference, which gives them one of the above: no slot is handed on with it.
inline constexpr std::uint8_t marked_pixel = 255;

/// What the pixels of one tile, or of a run, came to.
struct Tally {
  std::array<std::int64_t, num_pixel_status> status{};  ///< pixels by PixelStatus
  std::vector<std::int64_t> deviations;                 ///< by the step's list of deviations (model/step.hpp)

  std::int64_t& operator[](PixelStatus s) { return status[static_cast<std::size_t>(s)]; }
  std::int64_t operator[](PixelStatus s) const { return status[static_cast<std::size_t>(s)]; }

  void add(const Tally& other) {
    for (std::size_t i = 0; i < status.size(); ++i) status[i] += other.status[i];
    if (deviations.size() < other.deviations.size()) deviations.resize(other.deviations.size());
    for (std::size_t i = 0; i < other.deviations.size(); ++i) deviations[i] += other.deviations[i];
  }
};

}  // namespace outcrop
