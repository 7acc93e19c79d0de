// The work of the stages without the pipeline: one tile after the other on one thread.
#pragma once

#include <cstdint>
#include <string>

namespace outcrop::bench {

/// Processor seconds of one thread for a whole scene.
struct StageTime {
  double fetch_s = 0;  ///< also processor time: copies out of the page cache
  double decode_s = 0;
  double solve_s = 0;
  std::int64_t needed_bytes = 0;
  std::int64_t decoded_bytes = 0;
  std::int64_t output_bytes = 0;
  std::int64_t pixels = 0;
};

/// Phases weighted by the phase variance of their coherences, not referenced. Tiles as given.
/// Throws: Errc::input when the file is no stack with unwrapPhase and coherence.
StageTime measure_inversion(const std::string& stack, std::int64_t tile_rows, std::int64_t tile_cols);

/// A quadratic trend, angles, ranges and baselines of the pixel, all three outputs. Tiles as given.
/// Throws: Errc::input when a dataset is missing.
StageTime measure_topography(const std::string& series, const std::string& geometry, std::int64_t tile_rows,
                             std::int64_t tile_cols);

}  // namespace outcrop::bench
