// Working memory of the invert-network kernel: what one worker needs for one block of pixels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/pack.hpp"
#include "model/pixel/components.hpp"

namespace outcrop::cpu::OUTCROP_ISA {

/// Pixels in a pack. At least two registers of doubles are on their way at once: one alone would wait for each of its
/// results.
inline constexpr int width = register_bytes == 64 ? 16 : 8;
/// Packs whose observations are read together: fewer pixels would touch little of each page of the M layers.
inline constexpr int block_packs = 64 / width;

using Sample = Pack<float, width>;
using Lane = Pack<double, width>;

struct NetworkScratch {
  Sample* value[block_packs];        ///< each [M] referenced; 0 where there is no data
  Sample* root_weight[block_packs];  ///< each [M] positive; 0 where there is no data
  Lane* conductance;                 ///< [E]
  Lane* x;                           ///< [D] by position: right-hand side, then the series, unit of the observation
  Lane* inverse;                     ///< [D]
  Sample* redundancy;                ///< [D] observations of each date
  model::pixel::IslandScratch islands;
  Sample* deviation[block_packs];  ///< each [M] standard deviation of the observation; only for the covariance
  Lane* covariance;                ///< [D * D] by position; only for the covariance
};

/// Hands out parts of a block of memory; without one it only counts.
struct Carver {
  std::byte* memory = nullptr;
  std::int64_t used = 0;

  template <class T>
  T* take(std::int64_t count) {
    constexpr std::int64_t alignment = 64;
    std::byte* begin = memory == nullptr ? nullptr : memory + used;
    used += (count * static_cast<std::int64_t>(sizeof(T)) + alignment - 1) / alignment * alignment;
    return reinterpret_cast<T*>(begin);
  }
};

inline NetworkScratch carve(Carver& carver, const model::EliminationView& plan, bool covariance) {
  NetworkScratch scratch{};
  for (Sample*& value : scratch.value) value = carver.take<Sample>(plan.num_pairs);
  for (Sample*& root : scratch.root_weight) root = carver.take<Sample>(plan.num_pairs);
  scratch.conductance = carver.take<Lane>(plan.num_edges);
  scratch.x = carver.take<Lane>(plan.num_dates);
  scratch.inverse = carver.take<Lane>(plan.num_dates);
  scratch.redundancy = carver.take<Sample>(plan.num_dates);
  scratch.islands.island = carver.take<std::int32_t>(plan.num_dates);
  scratch.islands.number = carver.take<std::int32_t>(plan.num_dates);
  scratch.islands.offset = carver.take<double>(plan.num_dates);
  scratch.islands.coupling = carver.take<double>(model::pixel::num_couplings(plan.num_dates));
  if (!covariance) return scratch;
  for (Sample*& deviation : scratch.deviation) deviation = carver.take<Sample>(plan.num_pairs);
  scratch.covariance = carver.take<Lane>(std::int64_t{plan.num_dates} * plan.num_dates);
  return scratch;
}

}  // namespace outcrop::cpu::OUTCROP_ISA
