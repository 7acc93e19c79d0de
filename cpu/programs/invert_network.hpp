// The seam between the host program of invert-network and its kernels, one for each instruction set: plain data only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "model/elimination.hpp"
#include "model/pixel/observation.hpp"
#include "model/pixel/weight.hpp"
#include "model/steps/invert_network.hpp"

namespace outcrop::cpu {

/// For the covariance of the series, when it is asked for.
struct CovarianceTables {
  model::pixel::WeightView weight;  ///< 1 / variance of an observation
  std::int32_t reference_position = 0;
  double factor = 1;
};

/// For the batched solver: the design matrix of velocities. Pair k is sign times the sum, from its earlier date to its
/// later one, of velocity times step_yr.
struct BatchedNetworkTables {
  const std::int32_t* earlier_date = nullptr;  ///< [M]
  const std::int32_t* later_date = nullptr;    ///< [M]
  const double* sign = nullptr;                ///< [M] -1 where the later date is listed first
  bool all_deficient = false;                  ///< the pairs in use do not connect the dates, whatever the pixel
};

/// What is the same for all pixels.
struct InvertNetworkTables {
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
  const CovarianceTables* covariance = nullptr;
  const BatchedNetworkTables* batched = nullptr;  ///< null: the structured solver
};

/// The planes of one slot; absent ones are null. Rows of [depth] planes are `stride` pixels apart, and `stride` is a
/// multiple of every pack: the pixels from num_pixels to the end of a row may be read and written.
struct InvertNetworkPlanes {
  std::int64_t num_pixels = 0;
  std::int64_t stride = 0;
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
};

/// What the pixels of a run came to.
struct PixelCounts {
  std::int64_t status[num_pixel_status] = {};
  std::int64_t finding[model::num_invert_network_findings] = {};
};

/// One instruction set's kernel.
struct InvertNetworkKernel {
  int width = 0;  ///< pixels in a pack

  /// Bytes of scratch that one worker needs.
  std::int64_t (*scratch_bytes)(const model::EliminationView& plan, bool covariance, bool batched) = nullptr;

  /// Solves the pixels [begin, end) of the slot, or gives them the status `marked_pixel` (core/status.hpp); begin is a
  /// multiple of `width`. `scratch`: aligned to 64 bytes.
  void (*run)(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes, std::int64_t begin,
              std::int64_t end, std::byte* scratch, PixelCounts& counts) = nullptr;
};

}  // namespace outcrop::cpu
