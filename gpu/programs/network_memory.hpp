// Where the device program of invert-network has its planes and its working memory: plain pointers to device memory.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "model/inversion_tables.hpp"
#include "model/pixel/column.hpp"
#include "model/pixel/components.hpp"

namespace outcrop::gpu {

struct NetworkPlanes : model::InversionPlanes {
  std::int64_t reference_pixel = -1;  ///< in the tile; -1: it is in another, or there is none
  std::uint8_t* findings = nullptr;   ///< [1] bit f: the pixel shows finding f
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
