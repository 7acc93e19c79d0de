// What the device program of invert-network works on: plain pointers to device memory.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "model/elimination.hpp"
#include "model/pixel/column.hpp"
#include "model/pixel/components.hpp"
#include "model/pixel/observation.hpp"
#include "model/pixel/weight.hpp"
#include "model/steps/invert_network.hpp"

namespace outcrop::gpu {

/// What is the same for all pixels.
struct NetworkTables {
  model::EliminationView plan;
  const std::int32_t* pair_in_use = nullptr;  ///< [num_in_use] pairs whose reference is finite, by their edges
  std::int32_t num_in_use = 0;
  const float* reference = nullptr;  ///< [M] unit of the observation
  bool zero_is_data = false;
  model::pixel::WeightView weight;
  bool weight_is_deviation = false;  ///< weights come from the plane std, else from coherence
  model::MaskRule mask = model::MaskRule::none;
  model::MaskSource mask_source = model::MaskSource::own;
  float mask_threshold = 0;
  model::pixel::DeviationLimits deviation_limits;
  const float* median = nullptr;  ///< [M] of the rule `deviation`
  double min_redundancy = 0;
  std::int32_t untested_position = 0;  ///< of the date of which no redundancy is asked
  model::MinimumNorm norm = model::MinimumNorm::velocity;
  const double* step_yr = nullptr;                ///< [D - 1] years between neighbouring dates
  const std::int32_t* series_position = nullptr;  ///< [D] whose position the series has at each index, its origin first
  double metres_per_unit = 1;
  bool quality_is_residual = false;
  float skipped_quality = 0;  ///< of pixels that are not solved
  float reference_count = 0;  ///< observations of the reference pixel

  bool has_covariance = false;
  model::pixel::WeightView variance;  ///< gives 1 / standard deviation of an observation
  std::int32_t covariance_position = 0;
  double covariance_factor = 1;
};

/// The planes of one slot; absent ones are null. Rows of [depth] planes are `stride` pixels apart.
struct NetworkPlanes {
  std::int64_t stride = 0;
  std::int64_t reference_pixel = -1;    ///< in the tile; -1: it is in another, or there is none
  const float* observation = nullptr;   ///< [M]
  const float* coherence = nullptr;     ///< [M]
  const float* deviation = nullptr;     ///< [M] unit of the observation
  const float* mask = nullptr;          ///< [M]
  const float* water_mask = nullptr;    ///< [1]
  const float* quality_mask = nullptr;  ///< [1]
  float* timeseries = nullptr;          ///< [D] m
  float* quality = nullptr;             ///< [1]
  float* count = nullptr;               ///< [1]
  std::uint8_t* status = nullptr;       ///< [1] PixelStatus
  std::uint8_t* islands = nullptr;      ///< [1]
  float* covariance = nullptr;          ///< [D * D] m^2
  std::uint8_t* findings = nullptr;     ///< [1] bit f: the pixel shows finding f
};

/// Working memory: arrays [length][threads].
struct NetworkScratch {
  std::int64_t threads = 1;
  double* conductance = nullptr;  ///< [E]
  double* x = nullptr;            ///< [D] by position: right-hand side, then the series, unit of the observation
  double* inverse = nullptr;      ///< [D]
  float* redundancy = nullptr;    ///< [D] observations of each date
  std::int32_t* island = nullptr;
  std::int32_t* number = nullptr;
  double* offset = nullptr;
  double* coupling = nullptr;  ///< [num_couplings(max_islands)]
  std::int32_t max_islands = 0;
  double* covariance = nullptr;  ///< [D * D]; only for the covariance
};

/// The working memory of one thread.
struct NetworkColumns {
  model::pixel::Strided<double> conductance;
  model::pixel::Strided<double> x;
  model::pixel::Strided<double> inverse;
  model::pixel::Strided<float> redundancy;
  model::pixel::IslandColumns<model::pixel::Strided<std::int32_t>, model::pixel::Strided<double>> islands;
  model::pixel::Strided<double> covariance;
};

OUTCROP_HD inline NetworkColumns columns_of(const NetworkScratch& s, std::int64_t thread) {
  const std::int64_t apart = s.threads;
  return {{s.conductance + thread, apart},
          {s.x + thread, apart},
          {s.inverse + thread, apart},
          {s.redundancy + thread, apart},
          {{s.island + thread, apart},
           {s.number + thread, apart},
           {s.offset + thread, apart},
           {s.coupling + thread, apart}},
          {s.covariance + thread, apart}};
}

}  // namespace outcrop::gpu
