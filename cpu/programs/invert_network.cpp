// invert-network on packs of pixels. Built once for each instruction set, in its namespace.
#include "cpu/programs/invert_network.hpp"

#include "cpu/isa.hpp"
#include "cpu/pack.hpp"
#include "cpu/pack_convert.hpp"
#include "cpu/programs/network_scratch.hpp"
#include "cpu/sincos.hpp"
#include "model/pixel/components.hpp"
#include "model/pixel/observation.hpp"
#include "model/pixel/residual.hpp"
#include "model/pixel/star_mesh.hpp"
#include "model/pixel/weight.hpp"

namespace outcrop::cpu::OUTCROP_ISA {
namespace {

namespace pixel = model::pixel;

using LaneMask = Lane::Mask;

std::int64_t scratch_bytes(std::int64_t num_dates, std::int64_t num_pairs, std::int64_t num_edges) {
  Carver carver;
  carve(carver, num_dates, num_pairs, num_edges);
  return carver.used;
}

/// Which samples of a pair the mask keeps.
Sample::Mask kept(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes, std::int64_t at) {
  const Sample value = Sample::load((tables.mask_is_coherence ? planes.coherence : planes.mask) + at);
  return tables.mask == model::MaskRule::nonzero ? pixel::keeps_nonzero(value)
                                                 : pixel::keeps_at_least(value, tables.mask_threshold);
}

/// Asks for a row of a layer ahead of its use: rows of a slot are pages apart, where no hardware looks ahead.
void prefetch(const float* plane, std::int64_t at) {
  constexpr std::int64_t line = 16;
  if (plane == nullptr) return;
  for (std::int64_t i = 0; i < block_packs * width; i += line) __builtin_prefetch(plane + at + i);
}

/// Reads the observations of `num_packs` packs from `first_pixel` on into scratch.phase and scratch.root_weight.
/// with_infinity [num_packs]: pixels that had an infinite sample.
[[gnu::flatten]] void observe(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes,
                              std::int64_t first_pixel, int num_packs, const NetworkScratch& scratch,
                              Sample::Mask* with_infinity) {
  constexpr std::int32_t rows_ahead = 4;
  const bool weighted = tables.weight.function != model::WeightFunction::none;
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const std::int32_t pair = tables.pair_in_use[i];
    const std::int64_t row = pair * planes.stride + first_pixel;
    if (i + rows_ahead < tables.num_in_use) {
      const std::int64_t next = tables.pair_in_use[i + rows_ahead] * planes.stride + first_pixel;
      for (const float* plane : {planes.phase, planes.coherence, planes.mask}) prefetch(plane, next);
    }
    for (int p = 0; p < num_packs; ++p) {
      const std::int64_t at = row + std::int64_t{p} * width;
      Sample phase = pixel::referenced(Sample::load(planes.phase + at), tables.reference[pair]);
      if (tables.mask != model::MaskRule::none) phase = select(kept(tables, planes, at), phase, Sample(0));
      with_infinity[p] = with_infinity[p] | pixel::is_infinite(phase);
      scratch.phase[p][pair] = select(pixel::usable(phase), phase, Sample(0));
      if (!weighted) continue;
      const Lane root = pixel::root_weight<Lane>(tables.weight, Sample::load(planes.coherence + at));
      scratch.root_weight[p][pair] = narrow(root);
    }
  }
}

/// Forms the normal equations of pack p. Gives: the number of observations.
[[gnu::flatten]] Lane assemble(const InvertNetworkTables& tables, const NetworkScratch& scratch, int p) {
  Lane count(0.0);
  for (std::int32_t e = 0; e < tables.plan.num_edges; ++e) scratch.conductance[e] = Lane(0.0);
  for (std::int32_t k = 0; k < tables.plan.num_dates; ++k) scratch.x[k] = Lane(0.0);
  const bool weighted = tables.weight.function != model::WeightFunction::none;
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const std::int32_t pair = tables.pair_in_use[i];
    const Lane phase = widen(scratch.phase[p][pair]);
    const Lane one = select(phase != Lane(0.0), Lane(1.0), Lane(0.0));
    count = count + one;
    Lane weight = one;
    if (weighted) {
      const Lane root = widen(scratch.root_weight[p][pair]);
      weight = one * (root * root);
    }
    pixel::add_pair(tables.plan, pair, weight, phase, scratch.conductance, scratch.x);
  }
  return count;
}

/// Pixels where a date other than the first has fewer observations than are asked for.
[[gnu::flatten]] LaneMask too_few(const InvertNetworkTables& tables, const NetworkScratch& scratch, int p) {
  const model::EliminationView& plan = tables.plan;
  for (std::int32_t k = 0; k < plan.num_dates; ++k) scratch.redundancy[k] = Sample(0);
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const std::int32_t pair = tables.pair_in_use[i];
    const Sample one = select(scratch.phase[p][pair] != Sample(0), Sample(1), Sample(0));
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

[[gnu::flatten]] Lane temporal_coherence(const InvertNetworkTables& tables, const NetworkScratch& scratch, int p,
                                         const Lane& count) {
  pixel::PhasorSum<Lane> sum;
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const std::int32_t pair = tables.pair_in_use[i];
    const Lane observed = widen(scratch.phase[p][pair]);
    sum.add(pixel::residual(tables.plan, pair, observed, scratch.x), observed != Lane(0.0));
  }
  return sum.coherence(count);
}

/// Minimum norm at the pixels of the pack that have several islands.
void shift_islands(const InvertNetworkTables& tables, const NetworkScratch& scratch, const LaneMask& cut) {
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

/// Solves pack p: `scratch.x` becomes its phases, `cut` its wanted pixels of several islands.
/// Gives: the temporal coherence.
[[gnu::flatten]] Lane solve(const InvertNetworkTables& tables, const NetworkScratch& scratch, int p, const Lane& count,
                            const LaneMask& wanted, LaneMask& cut) {
  const Lane num_islands = pixel::eliminate(tables.plan, scratch.conductance, scratch.x, scratch.inverse);
  pixel::back_substitute(tables.plan, scratch.conductance, scratch.inverse, scratch.x);
  const Lane coherence = temporal_coherence(tables, scratch, p, count);
  cut = (num_islands > Lane(1.0)) & wanted;
  if (any(cut)) shift_islands(tables, scratch, cut);
  return coherence;
}

void write_series(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes, std::int64_t first_pixel,
                  const NetworkScratch& scratch, const LaneMask& wanted) {
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
                  const Sample::Mask& with_infinity, PixelCounts& counts) {
  for (int lane = 0; lane < width; ++lane) {
    const int code = static_cast<int>(status[lane]);
    planes.status[first_pixel + lane] = static_cast<std::uint8_t>(code);
    if (first_pixel + lane >= end) continue;
    ++counts.status[code];
    if (holds(with_infinity, lane) && code != static_cast<int>(PixelStatus::masked)) {
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

/// Pixels that are not to be looked at: behind the end, or masked.
LaneMask skipped_pixels(const InvertNetworkPlanes& planes, std::int64_t first_pixel, std::int64_t end) {
  LaneMask skipped = masked(planes, first_pixel);
  if (first_pixel + width > end) skipped = skipped | behind(end - first_pixel);
  return skipped;
}

/// Solves pack p of the block, whose first pixel is `first_pixel`, and writes its outputs.
void solve_pack(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes, std::int64_t first_pixel,
                std::int64_t end, const NetworkScratch& scratch, int p, const Sample::Mask& with_infinity,
                PixelCounts& counts) {
  const LaneMask skipped = skipped_pixels(planes, first_pixel, end);
  const Lane num_observed = assemble(tables, scratch, p);
  const LaneMask empty = ~skipped & (num_observed == Lane(0.0));
  const LaneMask poor = ~(skipped | empty) & too_few(tables, scratch, p);
  const LaneMask wanted = ~(skipped | empty | poor);
  Lane status = select(skipped, Lane(code_of(PixelStatus::masked)), Lane(code_of(PixelStatus::ok)));
  status = select(empty, Lane(code_of(PixelStatus::no_data)), status);
  status = select(poor, Lane(code_of(PixelStatus::too_few)), status);
  Lane coherence(0.0);
  if (any(wanted)) {
    LaneMask cut{};
    coherence = select(wanted, solve(tables, scratch, p, num_observed, wanted, cut), Lane(0.0));
    status = select(cut, Lane(code_of(PixelStatus::min_norm)), status);
    write_series(tables, planes, first_pixel, scratch, wanted);
  } else {
    write_zeros(tables, planes, first_pixel);
  }
  store_narrow(coherence, planes.temporal_coherence + first_pixel);
  store_narrow(select(wanted, num_observed, Lane(0.0)), planes.count + first_pixel);
  write_status(planes, first_pixel, end, status, with_infinity, counts);
}

/// A pack without a pixel to look at: zeros, and nothing read.
void skip_pack(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes, std::int64_t first_pixel,
               std::int64_t end, PixelCounts& counts) {
  write_zeros(tables, planes, first_pixel);
  store_narrow(Lane(0.0), planes.temporal_coherence + first_pixel);
  store_narrow(Lane(0.0), planes.count + first_pixel);
  write_status(planes, first_pixel, end, Lane(code_of(PixelStatus::masked)), Sample::Mask{}, counts);
}

void run(const InvertNetworkTables& tables, const InvertNetworkPlanes& planes, std::int64_t begin, std::int64_t end,
         std::byte* memory, PixelCounts& counts) {
  Carver carver{memory};
  const NetworkScratch scratch = carve(carver, tables.plan.num_dates, tables.plan.num_pairs, tables.plan.num_edges);
  for (std::int64_t block = begin; block < end; block += block_packs * width) {
    const std::int64_t left = (end - block + width - 1) / width;
    const int num_packs = left < block_packs ? static_cast<int>(left) : block_packs;
    bool wanted[block_packs];
    bool some = false;
    for (int p = 0; p < num_packs; ++p) {
      wanted[p] = any(~skipped_pixels(planes, block + p * width, end));
      some = some || wanted[p];
    }
    Sample::Mask with_infinity[block_packs] = {};
    if (some) observe(tables, planes, block, num_packs, scratch, with_infinity);
    for (int p = 0; p < num_packs; ++p) {
      if (wanted[p]) {
        solve_pack(tables, planes, block + p * width, end, scratch, p, with_infinity[p], counts);
      } else {
        skip_pack(tables, planes, block + p * width, end, counts);
      }
    }
  }
}

}  // namespace

const InvertNetworkKernel invert_network_kernel{width, scratch_bytes, run};

}  // namespace outcrop::cpu::OUTCROP_ISA
