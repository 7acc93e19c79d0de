// invert-network on packs of pixels. Built once for each instruction set, in its namespace.
#include "cpu/programs/invert_network.hpp"

#include "cpu/isa.hpp"
#include "cpu/pack.hpp"
#include "cpu/pack_convert.hpp"
#include "cpu/sincos.hpp"
#include "model/pixel/components.hpp"
#include "model/pixel/observation.hpp"
#include "model/pixel/residual.hpp"
#include "model/pixel/star_mesh.hpp"
#include "model/pixel/weight.hpp"

namespace outcrop::cpu::OUTCROP_ISA {
namespace {

namespace pixel = model::pixel;

constexpr int width = 8;
using Sample = Pack<float, width>;
using Lane = Pack<double, width>;
using LaneMask = Lane::Mask;

/// Working memory of one pack.
struct Scratch {
  Sample* phase;      ///< [M] rad referenced; 0: no data
  Lane* conductance;  ///< [E]
  Lane* x;            ///< [D] by position: right-hand side, then phases [rad]
  Lane* inverse;      ///< [D]
  Sample* redundancy; ///< [D] observations of each date
  pixel::IslandScratch islands;
};

std::int64_t align(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// Hands out parts of a block of memory; without one it only counts.
struct Carver {
  std::byte* memory;
  std::int64_t used = 0;

  template <class T>
  T* take(std::int64_t count) {
    std::byte* begin = memory == nullptr ? nullptr : memory + used;
    used += align(count * static_cast<std::int64_t>(sizeof(T)));
    return reinterpret_cast<T*>(begin);
  }
};

Scratch carve(Carver& carver, std::int64_t num_dates, std::int64_t num_pairs, std::int64_t num_edges) {
  Scratch scratch;
  scratch.phase = carver.take<Sample>(num_pairs);
  scratch.conductance = carver.take<Lane>(num_edges);
  scratch.x = carver.take<Lane>(num_dates);
  scratch.inverse = carver.take<Lane>(num_dates);
  scratch.redundancy = carver.take<Sample>(num_dates);
  scratch.islands.island = carver.take<std::int32_t>(num_dates);
  scratch.islands.number = carver.take<std::int32_t>(num_dates);
  scratch.islands.offset = carver.take<double>(num_dates);
  scratch.islands.coupling = carver.take<double>(pixel::num_couplings(num_dates));
  return scratch;
}

std::int64_t scratch_bytes(std::int64_t num_dates, std::int64_t num_pairs, std::int64_t num_edges) {
  Carver carver{nullptr};
  carve(carver, num_dates, num_pairs, num_edges);
  return carver.used;
}

/// What assembling found out about the pixels of a pack.
struct Assembled {
  Lane count{0.0};  ///< observations
  Sample::Mask with_infinity{};
};

/// Which samples of a pair the mask keeps.
Sample::Mask kept(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes, std::int64_t at) {
  const Sample value = Sample::load((tables.mask_is_coherence ? planes.coherence : planes.mask) + at);
  return tables.mask == model::MaskRule::nonzero ? pixel::keeps_nonzero(value)
                                                 : pixel::keeps_at_least(value, tables.mask_threshold);
}

/// Reads the observations of the pack that begins at `first_pixel` and forms the normal equations.
Assembled assemble(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes, std::int64_t first_pixel,
                   const Scratch& scratch) {
  Assembled found;
  for (std::int32_t e = 0; e < tables.plan.num_edges; ++e) scratch.conductance[e] = Lane(0.0);
  for (std::int32_t k = 0; k < tables.plan.num_dates; ++k) scratch.x[k] = Lane(0.0);
  const bool weighted = tables.weight.function != model::WeightFunction::none;
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const std::int32_t pair = tables.pair_in_use[i];
    const std::int64_t at = pair * planes.stride + first_pixel;
    Sample phase = pixel::referenced(Sample::load(planes.phase + at), tables.reference[pair]);
    if (tables.mask != model::MaskRule::none) phase = select(kept(tables, planes, at), phase, Sample(0));
    found.with_infinity = found.with_infinity | pixel::is_infinite(phase);
    phase = select(pixel::usable(phase), phase, Sample(0));
    Lane weight(1.0);
    if (weighted) weight = pixel::weight<Lane>(tables.weight, Sample::load(planes.coherence + at));
    const Lane observed = widen(phase);
    const LaneMask some = observed != Lane(0.0);
    found.count = found.count + select(some, Lane(1.0), Lane(0.0));
    pixel::add_pair(tables.plan, pair, select(some, weight, Lane(0.0)), observed, scratch.conductance, scratch.x);
    scratch.phase[pair] = phase;
  }
  return found;
}

/// Pixels where a date other than the first has fewer observations than are asked for.
LaneMask too_few(const InvertNetworkTables& tables, const Scratch& scratch) {
  const model::EliminationView& plan = tables.plan;
  for (std::int32_t k = 0; k < plan.num_dates; ++k) scratch.redundancy[k] = Sample(0);
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const std::int32_t pair = tables.pair_in_use[i];
    const Sample one = select(scratch.phase[pair] != Sample(0), Sample(1), Sample(0));
    Sample& first = scratch.redundancy[plan.pair_first[pair]];
    Sample& second = scratch.redundancy[plan.pair_second[pair]];
    first = first + one;
    second = second + one;
  }
  scratch.redundancy[plan.position[0]] = Sample(pixel::largest_sample);
  Sample least(pixel::largest_sample);
  for (std::int32_t k = 0; k < plan.num_dates; ++k) {
    least = select(scratch.redundancy[k] < least, scratch.redundancy[k], least);
  }
  return widen(least) < Lane(tables.min_redundancy);
}

Lane temporal_coherence(const InvertNetworkTables& tables, const Scratch& scratch, const Lane& count) {
  pixel::PhasorSum<Lane> sum;
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const std::int32_t pair = tables.pair_in_use[i];
    const Lane observed = widen(scratch.phase[pair]);
    sum.add(pixel::residual(tables.plan, pair, observed, scratch.x), observed != Lane(0.0));
  }
  return sum.coherence(count);
}

/// Minimum norm at the pixels of the pack that have several islands.
void shift_islands(const InvertNetworkTables& tables, const Scratch& scratch, const LaneMask& cut) {
  for (int lane = 0; lane < width; ++lane) {
    if (!holds(cut, lane)) continue;
    if (tables.norm == model::MinimumNorm::velocity) {
      pixel::shift_to_least_velocity(tables.plan, scratch.conductance, scratch.inverse, tables.step_yr, lane,
                                     scratch.islands, scratch.x);
    } else {
      pixel::shift_to_least_phase(tables.plan, scratch.conductance, scratch.inverse, lane, scratch.islands, scratch.x);
    }
  }
}

/// Solves the pack; `scratch.x` holds the phases. Gives: the temporal coherence.
Lane solve(const InvertNetworkTables& tables, const Scratch& scratch, const Lane& count, const LaneMask& wanted,
           LaneMask& cut) {
  const Lane num_islands = pixel::eliminate(tables.plan, scratch.conductance, scratch.x, scratch.inverse);
  pixel::back_substitute(tables.plan, scratch.conductance, scratch.inverse, scratch.x);
  const Lane coherence = temporal_coherence(tables, scratch, count);
  cut = (num_islands > Lane(1.0)) & wanted;
  if (any(cut)) shift_islands(tables, scratch, cut);
  return coherence;
}

void write_series(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes, std::int64_t first_pixel,
                  const Scratch& scratch, const LaneMask& wanted) {
  const Lane first = scratch.x[tables.plan.position[0]];
  const Lane factor(tables.metres_per_radian);
  for (std::int32_t date = 0; date < tables.plan.num_dates; ++date) {
    const Lane metres = (scratch.x[tables.plan.position[date]] - first) * factor;
    store_narrow(select(wanted, metres, Lane(0.0)), planes.timeseries + date * planes.stride + first_pixel);
  }
}

void write_zeros(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes, std::int64_t first_pixel) {
  for (std::int32_t date = 0; date < tables.plan.num_dates; ++date) {
    Sample(0).store(planes.timeseries + date * planes.stride + first_pixel);
  }
}

/// Pixels that a water or quality mask leaves out. NaN leaves nothing out.
LaneMask masked(const InvertNetworkPlanes& planes, std::int64_t first_pixel) {
  LaneMask found{};
  for (const float* plane : {planes.water_mask, planes.quality_mask}) {
    if (plane != nullptr) found = found | (widen(Sample::load(plane + first_pixel)) == Lane(0.0));
  }
  return found;
}

void write_status(const InvertNetworkPlanes& planes, std::int64_t first_pixel, std::int64_t end, const Lane& status,
                  const Assembled& assembled, PixelCounts& counts) {
  for (int lane = 0; lane < width; ++lane) {
    const int code = static_cast<int>(status[lane]);
    planes.status[first_pixel + lane] = static_cast<std::uint8_t>(code);
    if (first_pixel + lane >= end) continue;
    ++counts.status[code];
    if (holds(assembled.with_infinity, lane) && code != static_cast<int>(PixelStatus::masked)) {
      ++counts.with_infinity;
    }
  }
}

/// The lanes from the `count`-th on.
LaneMask behind(std::int64_t count) {
  Lane number(0.0);
  for (int lane = 0; lane < width; ++lane) set(number, lane, static_cast<double>(lane));
  return number >= Lane(static_cast<double>(count));
}

constexpr double code_of(PixelStatus status) { return static_cast<double>(status); }

void solve_pack(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes, std::int64_t first_pixel,
                std::int64_t end, const Scratch& scratch, PixelCounts& counts) {
  LaneMask skipped = masked(planes, first_pixel);
  if (first_pixel + width > end) skipped = skipped | behind(end - first_pixel);
  Lane status = select(skipped, Lane(code_of(PixelStatus::masked)), Lane(code_of(PixelStatus::ok)));
  Assembled assembled;
  Lane coherence(0.0);
  Lane count(0.0);
  LaneMask wanted{};
  if (any(~skipped)) {
    assembled = assemble(tables, planes, first_pixel, scratch);
    const LaneMask empty = ~skipped & (assembled.count == Lane(0.0));
    const LaneMask poor = ~skipped & ~empty & too_few(tables, scratch);
    status = select(empty, Lane(code_of(PixelStatus::no_data)), status);
    status = select(poor, Lane(code_of(PixelStatus::too_few)), status);
    wanted = ~(skipped | empty | poor);
  }
  if (any(wanted)) {
    LaneMask cut{};
    coherence = select(wanted, solve(tables, scratch, assembled.count, wanted, cut), Lane(0.0));
    count = select(wanted, assembled.count, Lane(0.0));
    status = select(cut, Lane(code_of(PixelStatus::min_norm)), status);
    write_series(tables, planes, first_pixel, scratch, wanted);
  } else {
    write_zeros(tables, planes, first_pixel);
  }
  store_narrow(coherence, planes.temporal_coherence + first_pixel);
  store_narrow(count, planes.count + first_pixel);
  write_status(planes, first_pixel, end, status, assembled, counts);
}

void run(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes, std::int64_t begin, std::int64_t end,
         std::byte* memory, PixelCounts& counts) {
  Carver carver{memory};
  const Scratch scratch = carve(carver, tables.plan.num_dates, tables.plan.num_pairs, tables.plan.num_edges);
  for (std::int64_t first = begin; first < end; first += width) {
    solve_pack(tables, planes, first, end, scratch, counts);
  }
}

}  // namespace

const InvertNetworkKernel invert_network_kernel{width, scratch_bytes, run};

}  // namespace outcrop::cpu::OUTCROP_ISA
