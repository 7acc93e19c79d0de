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

/// For the batched solver. Chunks of design matrices rather than whole ones: what is read again and again stays near.
struct BatchedNetworkScratch {
  std::int32_t chunk_rows = 0;
  Lane* design = nullptr;    ///< [chunk_rows, D - 1] of one pack, row after row
  Lane* observed = nullptr;  ///< [chunk_rows] times the root of the weight
  Lane* normal = nullptr;    ///< [D - 1, D - 1]
  Lane* unknown = nullptr;   ///< [D - 1]
};

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
  BatchedNetworkScratch batched;
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

inline BatchedNetworkScratch carve_batched(Carver& carver, const model::EliminationView& plan) {
  constexpr std::int64_t chunk_bytes = 512 * 1024;
  const std::int64_t size = plan.num_dates - 1;
  const std::int64_t fitting = chunk_bytes / (size * static_cast<std::int64_t>(sizeof(Lane)));
  BatchedNetworkScratch scratch;
  scratch.chunk_rows = fitting < 8 ? 8 : static_cast<std::int32_t>(fitting < plan.num_pairs ? fitting : plan.num_pairs);
  scratch.design = carver.take<Lane>(scratch.chunk_rows * size);
  scratch.observed = carver.take<Lane>(scratch.chunk_rows);
  scratch.normal = carver.take<Lane>(size * size);
  scratch.unknown = carver.take<Lane>(size);
  return scratch;
}

inline NetworkScratch carve(Carver& carver, const model::EliminationView& plan, bool covariance, bool batched) {
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
  if (batched) scratch.batched = carve_batched(carver, plan);
  if (!covariance) return scratch;
  for (Sample*& deviation : scratch.deviation) deviation = carver.take<Sample>(plan.num_pairs);
  scratch.covariance = carver.take<Lane>(std::int64_t{plan.num_dates} * plan.num_dates);
  return scratch;
}

}  // namespace outcrop::cpu::OUTCROP_ISA
