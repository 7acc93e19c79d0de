// The median of the certain offsets of each pair over the whole image, exactly and in little memory: what an uncertain
// offset must stand out from to be kept.
#pragma once

#include <cstdint>
#include <vector>

#include "core/log.hpp"
#include "io/h5_source.hpp"

namespace outcrop::tools {

struct MedianRequest {
  io::PlaneRequest observation;
  io::PlaneRequest deviation;    ///< of the same layers
  std::vector<float> reference;  ///< [M] subtracted from every observation that is not 0; NaN: the pair is not used
  float threshold = 0;           ///< offsets with at most this standard deviation are certain; NaN is 0
};

/// [M] unit of the observation; the mean of the two middle ones for an even number, NaN when a pair has no certain
/// offset. Reads the planes twice, in groups of pairs whose histograms fit `memory_bytes`, and
/// adds what that took to `volume`.
std::vector<float> offset_medians(const MedianRequest& request, std::int64_t memory_bytes,
                                  const io::SourceOptions& options, io::DecodeVolume& volume, Log& log);

}  // namespace outcrop::tools
