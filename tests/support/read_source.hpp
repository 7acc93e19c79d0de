// Reads tiles of a TileSource as a pipeline does.
#pragma once

#include <vector>

#include "io/tile_source.hpp"

namespace outcrop::test {

struct Reading {
  std::vector<std::vector<float>> values;  ///< [plane][depth * pixels of rect]
  std::int64_t fetched = 0;                ///< bytes
  io::DecodeVolume decoded;
};

inline Reading read_planes(const io::TileSource& source, const TileRect& rect,
                           const ParallelFor& parallel = SerialFor()) {
  Reading reading;
  std::vector<View<float, 2>> views;
  for (const io::PlaneInfo& plane : source.describe().planes) {
    reading.values.emplace_back(static_cast<std::size_t>(plane.depth * rect.pixels()), -12345.0F);
    views.emplace_back(reading.values.back().data(), plane.depth, rect.pixels());
  }
  std::vector<std::byte> raw(static_cast<std::size_t>(source.raw_bytes(rect)));
  std::vector<std::byte> scratch(static_cast<std::size_t>(source.scratch_bytes() * parallel.concurrency()));
  reading.fetched = source.fetch(rect, raw, views);
  reading.decoded = source.decode(rect, raw, views, scratch, parallel);
  return reading;
}

/// [plane][depth * pixels of rect]
inline std::vector<std::vector<float>> read_tile(const io::TileSource& source, const TileRect& rect,
                                                 const ParallelFor& parallel = SerialFor()) {
  return read_planes(source, rect, parallel).values;
}

}  // namespace outcrop::test
