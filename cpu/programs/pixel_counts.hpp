// What the pixels of a run came to: how many there are of each status, and how many show each finding.
#pragma once

#include <cstdint>

#include "core/status.hpp"

namespace outcrop::cpu {

template <int NumFindings>
struct PixelCounts {
  std::int64_t status[num_pixel_status] = {};
  std::int64_t finding[NumFindings] = {};
};

}  // namespace outcrop::cpu
