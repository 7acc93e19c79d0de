// A whole run of correct-topography over a scene in memory.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/steps/chain.hpp"
#include "model/steps/correct_topography.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/step_pipeline.hpp"

namespace outcrop::test {

/// Twelve dates, baselines, angles and ranges of each pixel.
inline model::CorrectTopography pipeline_topography() {
  model::CorrectTopography p;
  for (int month = 1; month <= 12; ++month) p.dates.push_back(std::to_string(20200004 + 100 * month));
  p.excluded.assign(p.dates.size(), false);
  p.columns = model::design_columns(p.dates, 0, {});
  p.has_quality_mask = true;
  return p;
}

/// Noise; every seventh pixel is empty, every eleventh has baselines that tell nothing, every thirteenth a lost date.
inline std::map<std::string, std::vector<float>> topography_planes(const model::CorrectTopography& p) {
  Random random(6);
  std::map<std::string, std::vector<float>> planes;
  for (std::int64_t i = 0; i < p.num_dates() * pipeline_pixels; ++i) {
    const std::int64_t pixel = i % pipeline_pixels;
    const bool lost = pixel % 13 == 12 && i / pipeline_pixels == 4;
    const auto sample = static_cast<float>(random_real(random, -0.1, 0.1));
    const auto bperp = static_cast<float>(random_real(random, -200, 200));
    planes["timeseries"].push_back(lost ? std::numeric_limits<float>::quiet_NaN() : pixel % 7 == 6 ? 0.0F : sample);
    planes["bperp"].push_back(pixel % 11 == 10 ? 33.0F : bperp);
  }
  planes["incidence"].assign(static_cast<std::size_t>(pipeline_pixels), 35.0F);
  planes["slant_range"].assign(static_cast<std::size_t>(pipeline_pixels), 8e5F);
  planes["quality_mask"].assign(static_cast<std::size_t>(pipeline_pixels), 1.0F);
  return planes;
}

struct TopographyPipeline : StepPipeline {
  explicit TopographyPipeline(std::int64_t tile_rows = 5, std::int64_t tile_cols = 24,
                              model::Solver solver = model::Solver::structured)
      : StepPipeline(model::solved_by(model::make_correct_topography(
                                          std::make_shared<const model::CorrectTopography>(pipeline_topography())),
                                      solver),
                     topography_planes(pipeline_topography()), tile_rows, tile_cols) {}
};

}  // namespace outcrop::test
