// invert-network on packs of pixels. Built once for each instruction set, in its namespace.
#include "cpu/programs/invert_network.hpp"

#include "cpu/isa.hpp"
#include "cpu/pack.hpp"
#include "cpu/pack_convert.hpp"
#include "cpu/phasor.hpp"
#include "cpu/programs/network_batched.hpp"
#include "cpu/programs/network_covariance.hpp"
#include "cpu/programs/network_observe.hpp"
#include "cpu/programs/network_scratch.hpp"
#include "model/pixel/components.hpp"
#include "model/pixel/observation.hpp"
#include "model/pixel/residual.hpp"
#include "model/pixel/star_mesh.hpp"
#include "model/pixel/weight.hpp"

namespace outcrop::cpu::OUTCROP_ISA {
namespace {

namespace pixel = model::pixel;

using LaneMask = Lane::Mask;

std::int64_t scratch_bytes(const model::EliminationView& plan, bool covariance, bool batched) {
  Carver carver;
  carve(carver, plan, covariance, batched);
  return carver.used;
}

/// Forms the normal equations of pack p. Gives: the number of observations.
[[gnu::flatten]] Lane assemble(const model::InversionView& tables, const NetworkScratch& scratch, int p) {
  Lane count(0.0);
  for (std::int32_t k = 0; k < tables.plan.num_dates; ++k) scratch.x[k] = Lane(0.0);
  std::int32_t i = 0;
  for (std::int32_t e = 0; e < tables.plan.num_edges; ++e) {
    Lane conductance(0.0);
    for (; i < tables.num_in_use && tables.plan.pair_edge[tables.pair_in_use[i]] == e; ++i) {
      const std::int32_t pair = tables.pair_in_use[i];
      const Lane root = widen(scratch.root_weight[p][pair]);
      count = count + select(root != Lane(0.0), Lane(1.0), Lane(0.0));
      const Lane weight = root * root;
      conductance = conductance + weight;
      pixel::add_flow(tables.plan, pair, weight, widen(scratch.value[p][pair]), scratch.x);
    }
    scratch.conductance[e] = conductance;
  }
  return count;
}

/// Pixels where a date other than the one at `untested` has fewer observations than are asked for.
[[gnu::flatten]] LaneMask too_few(const model::InversionView& tables, const NetworkScratch& scratch, int p,
                                  std::int32_t untested) {
  const model::EliminationView& plan = tables.plan;
  for (std::int32_t k = 0; k < plan.num_dates; ++k) scratch.redundancy[k] = Sample(0);
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const std::int32_t pair = tables.pair_in_use[i];
    const Sample one = select(scratch.root_weight[p][pair] != Sample(0), Sample(1), Sample(0));
    Sample& first = scratch.redundancy[plan.pair_first[pair]];
    Sample& second = scratch.redundancy[plan.pair_second[pair]];
    first = first + one;
    second = second + one;
  }
  scratch.redundancy[untested] = Sample(pixel::largest_sample);
  Sample least(pixel::largest_sample);
  for (std::int32_t k = 0; k < plan.num_dates; ++k) {
    least = select(scratch.redundancy[k] < least, scratch.redundancy[k], least);
  }
  return widen(least) < Lane(tables.min_redundancy);
}

/// Much is computed here and little read, so the observations of the pack that begins at pixel `next` are asked for.
[[gnu::flatten]] Lane temporal_coherence(const model::InversionView& tables, const InvertNetworkPlanes& planes,
                                         const NetworkScratch& scratch, int p, const Lane& count, std::int64_t next) {
  pixel::PhasorSum<Lane> sum;
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const std::int32_t pair = tables.pair_in_use[i];
    const Lane observed = widen(scratch.value[p][pair]);
    const LaneMask counts = widen(scratch.root_weight[p][pair]) != Lane(0.0);
    prefetch<2>(planes, pair, next);
    sum.add(pixel::residual(tables.plan, pair, observed, scratch.x), counts);
  }
  return sum.coherence(count);
}

/// Root of the sum of the squared residuals.
[[gnu::flatten]] Lane total_residual(const model::InversionView& tables, const NetworkScratch& scratch, int p) {
  Lane sum(0.0);
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const std::int32_t pair = tables.pair_in_use[i];
    const Lane e = pixel::residual(tables.plan, pair, widen(scratch.value[p][pair]), scratch.x);
    sum = sum + select(widen(scratch.root_weight[p][pair]) != Lane(0.0), e * e, Lane(0.0));
  }
  return root(sum);
}

/// MintPy has no residual from an unweighted solve that is rank-deficient or has no more rows than unknowns.
LaneMask without_residual(const model::InversionView& tables, const Lane& count, const LaneMask& cut) {
  if (tables.weight.function != model::WeightFunction::none) return LaneMask{};
  return cut | (count < Lane(static_cast<double>(tables.plan.num_dates)));
}

/// Minimum norm at the pixels of the pack that have several islands.
void shift_islands(const model::InversionView& tables, const NetworkScratch& scratch, const LaneMask& cut) {
  for (int lane = 0; lane < width; ++lane) {
    if (!holds(cut, lane)) continue;
    if (tables.norm == model::MinimumNorm::velocity) {
      pixel::shift_to_least_velocity(tables.plan, scratch.conductance, scratch.inverse, tables.step_yr, lane,
                                     scratch.islands, scratch.x);
    } else {
      pixel::shift_to_least_phase(tables.plan, scratch.conductance, scratch.inverse, tables.series_position[0], lane,
                                  scratch.islands, scratch.x);
    }
  }
}

/// What the solve of a pack gives besides scratch.x.
struct Solution {
  Lane quality{0.0};
  Lane num_islands{0.0};
  LaneMask cut{};     ///< wanted pixels of several islands
  LaneMask marked{};  ///< wanted pixels that the batched solver leaves to the reference
};

/// Not inlined: it would take registers from the elimination.
[[gnu::noinline]] LaneMask solve_or_mark(const model::InversionView& tables, const NetworkScratch& scratch, int p,
                                         const LaneMask& wanted) {
  return tables.all_deficient ? wanted : wanted & solve_batched(tables, scratch, p);
}

/// Solves pack p by normal equations, or by elimination: `scratch.x` becomes its series.
[[gnu::flatten]] void solve_series(const model::InversionView& tables, const NetworkScratch& scratch, int p,
                                   const LaneMask& wanted, Solution& solution) {
  if (tables.batched) {
    solution.num_islands = Lane(1.0);
    solution.marked = solve_or_mark(tables, scratch, p, wanted);
    return;
  }
  solution.num_islands = pixel::eliminate(tables.plan, scratch.conductance, scratch.x, scratch.inverse);
  pixel::back_substitute(tables.plan, scratch.conductance, scratch.inverse, scratch.x);
  solution.cut = (solution.num_islands > Lane(1.0)) & wanted;
}

/// Solves pack p: `scratch.x` becomes its series.
[[gnu::flatten]] Solution solve(const model::InversionView& tables, const InvertNetworkPlanes& planes,
                                const NetworkScratch& scratch, int p, const Lane& count, const LaneMask& wanted,
                                std::int64_t next) {
  Solution solution;
  solve_series(tables, scratch, p, wanted, solution);
  if (!any(wanted & ~solution.marked)) return solution;
  if (tables.quality_is_residual) {
    solution.quality = select(without_residual(tables, count, solution.cut),
                              Lane(static_cast<double>(tables.skipped_quality)), total_residual(tables, scratch, p));
  } else {
    solution.quality = temporal_coherence(tables, planes, scratch, p, count, next);
  }
  if (any(solution.cut)) shift_islands(tables, scratch, solution.cut);
  return solution;
}

void write_series(const model::InversionView& tables, const InvertNetworkPlanes& planes, std::int64_t first_pixel,
                  const NetworkScratch& scratch, const LaneMask& wanted) {
  const Lane first = scratch.x[tables.series_position[0]];
  const Lane factor(tables.metres_per_unit);
  for (std::int32_t date = 0; date < tables.plan.num_dates; ++date) {
    const Lane metres = (scratch.x[tables.series_position[date]] - first) * factor;
    store_narrow(select(wanted, metres, Lane(0.0)), planes.timeseries + date * planes.stride + first_pixel);
  }
}

void write_zeros(std::int64_t depth, float* plane, std::int64_t stride, std::int64_t first_pixel) {
  for (std::int64_t layer = 0; layer < depth; ++layer) Sample(0).store(plane + layer * stride + first_pixel);
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
                  const PackFindings& findings, InversionCounts& counts) {
  for (int lane = 0; lane < width; ++lane) {
    const int code = static_cast<int>(status[lane]);
    planes.status[first_pixel + lane] = static_cast<std::uint8_t>(code);
    if (first_pixel + lane >= end) continue;
    if (code != marked_pixel) ++counts.status[code];
    if (code == static_cast<int>(PixelStatus::masked)) continue;
    counts.finding[model::infinite_sample] += holds(findings.infinite, lane) ? 1 : 0;
    counts.finding[model::negative_label] += holds(findings.negative, lane) ? 1 : 0;
  }
}

void write_islands(const InvertNetworkPlanes& planes, std::int64_t first_pixel, const Lane& num_islands) {
  constexpr double most = 255;
  if (planes.islands == nullptr) return;
  for (int lane = 0; lane < width; ++lane) {
    const double count = num_islands[lane];
    planes.islands[first_pixel + lane] = static_cast<std::uint8_t>(count < most ? count : most);
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

/// Status of the pixels that are looked at, and which of them are wanted.
struct Judgement {
  LaneMask wanted;
  Lane status;
};

Judgement judge(const model::InversionView& tables, const NetworkScratch& scratch, int p, const LaneMask& skipped,
                const Lane& num_observed) {
  const LaneMask empty = ~skipped & (num_observed == Lane(0.0));
  const LaneMask poor = ~(skipped | empty) & too_few(tables, scratch, p, tables.untested_position);
  Lane status = select(skipped, Lane(code_of(PixelStatus::masked)), Lane(code_of(PixelStatus::ok)));
  status = select(empty, Lane(code_of(PixelStatus::no_data)), status);
  status = select(poor, Lane(code_of(PixelStatus::too_few)), status);
  return {~(skipped | empty | poor), status};
}

/// Solves pack p of the block, whose first pixel is `first_pixel`, and writes its outputs.
void solve_pack(const model::InversionView& tables, const InvertNetworkPlanes& planes, std::int64_t first_pixel,
                std::int64_t end, const NetworkScratch& scratch, int p, const PackFindings& findings,
                InversionCounts& counts) {
  const LaneMask skipped = skipped_pixels(planes, first_pixel, end);
  const Lane num_observed = tables.batched ? count_observed(tables, scratch, p) : assemble(tables, scratch, p);
  const Judgement judged = judge(tables, scratch, p, skipped, num_observed);
  const LaneMask& wanted = judged.wanted;
  Lane status = judged.status;
  Solution solution;
  if (any(wanted)) {
    const std::int64_t next = first_pixel + block_packs * width;
    solution = solve(tables, planes, scratch, p, num_observed, wanted, next < planes.num_pixels ? next : first_pixel);
    status = select(solution.cut, Lane(code_of(PixelStatus::min_norm)), status);
    status = select(solution.marked, Lane(static_cast<double>(marked_pixel)), status);
  }
  const LaneMask solved = wanted & ~solution.marked;
  if (any(solved)) {
    write_series(tables, planes, first_pixel, scratch, solved);
  } else {
    write_zeros(tables.plan.num_dates, planes.timeseries, planes.stride, first_pixel);
  }
  const Lane skipped_quality(static_cast<double>(tables.skipped_quality));
  store_narrow(select(solved, solution.quality, skipped_quality), planes.quality + first_pixel);
  store_narrow(select(wanted, num_observed, Lane(0.0)), planes.count + first_pixel);
  write_islands(planes, first_pixel, select(solved, solution.num_islands, Lane(0.0)));
  write_status(planes, first_pixel, end, status, findings, counts);
  if (!tables.has_covariance) return;
  // Its redundancy is asked of other dates than that of the series.
  const LaneMask poor = too_few(tables, scratch, p, tables.covariance_position);
  solve_covariance(tables, planes, first_pixel, scratch, p, ~(skipped | poor | (num_observed == Lane(0.0))));
}

/// A pack without a pixel to look at: zeros, and nothing read.
void skip_pack(const model::InversionView& tables, const InvertNetworkPlanes& planes, std::int64_t first_pixel,
               std::int64_t end, InversionCounts& counts) {
  const std::int64_t num_dates = tables.plan.num_dates;
  write_zeros(num_dates, planes.timeseries, planes.stride, first_pixel);
  if (tables.has_covariance) write_zeros(num_dates * num_dates, planes.covariance, planes.stride, first_pixel);
  Sample(tables.skipped_quality).store(planes.quality + first_pixel);
  Sample(0).store(planes.count + first_pixel);
  write_islands(planes, first_pixel, Lane(0.0));
  write_status(planes, first_pixel, end, Lane(code_of(PixelStatus::masked)), {}, counts);
}

void run(const model::InversionView& tables, const InvertNetworkPlanes& planes, std::int64_t begin, std::int64_t end,
         std::byte* memory, InversionCounts& counts) {
  Carver carver{memory};
  const NetworkScratch scratch = carve(carver, tables.plan, tables.has_covariance, tables.batched);
  for (std::int64_t block = begin; block < end; block += block_packs * width) {
    const std::int64_t left = (end - block + width - 1) / width;
    const int num_packs = left < block_packs ? static_cast<int>(left) : block_packs;
    bool wanted[block_packs];
    bool some = false;
    for (int p = 0; p < num_packs; ++p) {
      wanted[p] = any(~skipped_pixels(planes, block + p * width, end));
      some = some || wanted[p];
    }
    PackFindings findings[block_packs] = {};
    if (some) observe(tables, planes, block, num_packs, scratch, findings);
    for (int p = 0; p < num_packs; ++p) {
      if (wanted[p]) {
        solve_pack(tables, planes, block + p * width, end, scratch, p, findings[p], counts);
      } else {
        skip_pack(tables, planes, block + p * width, end, counts);
      }
    }
  }
}

}  // namespace

const InvertNetworkKernel invert_network_kernel{width, scratch_bytes, run};

}  // namespace outcrop::cpu::OUTCROP_ISA
