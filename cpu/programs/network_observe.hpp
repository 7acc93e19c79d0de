// From the planes of a slot to the observations of one block of pixels: referencing, masks, weights.
#pragma once

#include "cpu/pack_convert.hpp"
#include "cpu/programs/invert_network.hpp"
#include "cpu/programs/network_scratch.hpp"
#include "model/pixel/observation.hpp"
#include "model/pixel/weight.hpp"

namespace outcrop::cpu::OUTCROP_ISA {

/// Which pixels of a pack showed something that is counted.
struct PackFindings {
  Sample::Mask infinite{};
  Sample::Mask negative{};
};

/// Asks for a pack of a pair ahead of its use: rows of a slot are pages apart, where no hardware looks ahead.
/// Level: of the cache, 1 or 2.
template <int Level>
[[gnu::always_inline]] inline void prefetch(const InvertNetworkPlanes& planes, std::int32_t pair, std::int64_t pixel) {
  const std::int64_t at = pair * planes.stride + pixel;
  for (const float* plane : {planes.observation, planes.coherence, planes.deviation, planes.mask}) {
    if (plane != nullptr) __builtin_prefetch(plane + at, 0, 4 - Level);
  }
}

inline const float* mask_plane(const model::InversionView& tables, const InvertNetworkPlanes& planes) {
  if (tables.mask_source == model::MaskSource::coherence) return planes.coherence;
  return tables.mask_source == model::MaskSource::deviation ? planes.deviation : planes.mask;
}

/// Which samples of a pair the mask keeps. value: the referenced observations.
inline Sample::Mask kept(const model::InversionView& tables, const InvertNetworkPlanes& planes, std::int32_t pair,
                         std::int64_t at, const Sample& value, PackFindings& findings) {
  const Sample mask = Sample::load(mask_plane(tables, planes) + at);
  if (tables.mask == model::MaskRule::nonzero) {
    findings.negative = findings.negative | (mask < Sample(0));
    return model::pixel::keeps_nonzero(mask);
  }
  if (tables.mask == model::MaskRule::at_least) return model::pixel::keeps_at_least(mask, tables.mask_threshold);
  return model::pixel::keeps_deviation(value, mask, tables.median[pair], tables.deviation_limits);
}

/// Reads one pack of one pair into the scratch of pack p.
[[gnu::always_inline]] inline void observe_pack(const model::InversionView& tables, const InvertNetworkPlanes& planes,
                                                std::int32_t pair, std::int64_t at, const NetworkScratch& scratch,
                                                int p, PackFindings& findings) {
  namespace pixel = model::pixel;
  const Sample value = pixel::referenced(Sample::load(planes.observation + at), tables.reference[pair]);
  Sample::Mask counts = pixel::usable(value, tables.zero_is_data);
  Sample::Mask infinite = pixel::is_infinite(value);
  if (tables.mask != model::MaskRule::none) {
    const Sample::Mask keep = kept(tables, planes, pair, at, value, findings);
    counts = counts & keep;
    infinite = infinite & keep;
  }
  findings.infinite = findings.infinite | infinite;
  scratch.value[p][pair] = select(counts, value, Sample(0));
  const float* const uncertainty = tables.weight_is_deviation ? planes.deviation : planes.coherence;
  Sample root(1.0F);
  if (tables.weight.function != model::WeightFunction::none) {
    root = pixel::root_weight<Lane>(tables.weight, Sample::load(uncertainty + at));
  }
  scratch.root_weight[p][pair] = select(counts, root, Sample(0));
  if (!tables.has_covariance) return;
  const Sample known = pixel::root_weight<Lane>(tables.variance, Sample::load(uncertainty + at));
  scratch.deviation[p][pair] = select(counts, Sample(1.0F) / known, Sample(0));
}

/// Reads the observations of `num_packs` packs from `first_pixel` on.
/// findings [num_packs]: pixels that had what is counted.
[[gnu::flatten]] inline void observe(const model::InversionView& tables, const InvertNetworkPlanes& planes,
                                     std::int64_t first_pixel, int num_packs, const NetworkScratch& scratch,
                                     PackFindings* findings) {
  constexpr std::int32_t rows_ahead = 4;
  for (std::int32_t i = 0; i < tables.num_in_use; ++i) {
    const std::int32_t pair = tables.pair_in_use[i];
    const std::int64_t row = pair * planes.stride + first_pixel;
    if (i + rows_ahead < tables.num_in_use) {
      for (int p = 0; p < num_packs; ++p)
        prefetch<1>(planes, tables.pair_in_use[i + rows_ahead], first_pixel + p * width);
    }
    for (int p = 0; p < num_packs; ++p) {
      observe_pack(tables, planes, pair, row + std::int64_t{p} * width, scratch, p, findings[p]);
    }
  }
}

}  // namespace outcrop::cpu::OUTCROP_ISA
