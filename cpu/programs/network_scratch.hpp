// Working memory of the invert-network kernel: what one worker needs for one block of pixels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/pack.hpp"
#include "model/pixel/components.hpp"

namespace outcrop::cpu::OUTCROP_ISA {

inline constexpr int width = 8;  ///< pixels in a pack: a cache line of doubles
/// Packs whose observations are read together. A pack alone would touch half a cache line of each of the M layers.
inline constexpr int block_packs = 8;

using Sample = Pack<float, width>;
using Lane = Pack<double, width>;

struct NetworkScratch {
  Sample* phase[block_packs];        ///< each [M] rad referenced; 0: no data
  Sample* root_weight[block_packs];  ///< each [M]
  Lane* conductance;                 ///< [E]
  Lane* x;                           ///< [D] by position: right-hand side, then phases [rad]
  Lane* inverse;                     ///< [D]
  Sample* redundancy;                ///< [D] observations of each date
  model::pixel::IslandScratch islands;
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

inline NetworkScratch carve(Carver& carver, std::int64_t num_dates, std::int64_t num_pairs, std::int64_t num_edges) {
  NetworkScratch scratch{};
  for (Sample*& phase : scratch.phase) phase = carver.take<Sample>(num_pairs);
  for (Sample*& root : scratch.root_weight) root = carver.take<Sample>(num_pairs);
  scratch.conductance = carver.take<Lane>(num_edges);
  scratch.x = carver.take<Lane>(num_dates);
  scratch.inverse = carver.take<Lane>(num_dates);
  scratch.redundancy = carver.take<Sample>(num_dates);
  scratch.islands.island = carver.take<std::int32_t>(num_dates);
  scratch.islands.number = carver.take<std::int32_t>(num_dates);
  scratch.islands.offset = carver.take<double>(num_dates);
  scratch.islands.coupling = carver.take<double>(model::pixel::num_couplings(num_dates));
  return scratch;
}

}  // namespace outcrop::cpu::OUTCROP_ISA
