// Where the device program of correct-topography has its planes and its working memory: plain pointers to device
// memory.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "model/pixel/column.hpp"
#include "model/topography_tables.hpp"

namespace outcrop::gpu {

struct TopographyPlanes : model::TopographyPlanes {
  std::uint8_t* findings = nullptr;  ///< [1] bit f: the pixel shows finding f
};

/// Working memory: arrays [length][threads].
struct TopographyScratch {
  std::int64_t threads = 1;
  double* coefficient = nullptr;  ///< [rank]
  double* of_baseline = nullptr;  ///< [rank]; only where pixels have their own baselines
};

/// The working memory of one thread.
struct TopographyColumns {
  model::pixel::Strided<double> coefficient;
  model::pixel::Strided<double> of_baseline;
};

OUTCROP_HD inline TopographyColumns columns_of(const TopographyScratch& s, std::int64_t thread) {
  return {{s.coefficient + thread, s.threads}, {s.of_baseline + thread, s.threads}};
}

}  // namespace outcrop::gpu
