// LayerSelection: which layers of a dataset a plane takes, grouped by the chunks that hold them.
#pragma once

#include <cstdint>
#include <vector>

namespace outcrop::io {

/// One wanted layer inside a chunk.
struct WantedLayer {
  std::int64_t in_chunk = 0;  ///< layer of the chunk
  std::int64_t in_plane = 0;  ///< layer of the plane
};

/// The wanted layers of one layer of chunks.
struct LayerGroup {
  std::int64_t chunk_layer = 0;     ///< index of the chunks along the dataset's first dimension
  std::int64_t distinct = 0;        ///< without those that are wanted twice
  std::vector<WantedLayer> layers;  ///< by in_chunk
};

/// `layers`: of the dataset, in plane order; any order, the same one several times. Groups by chunk_layer.
std::vector<LayerGroup> group_layers(const std::vector<std::int64_t>& layers, std::int64_t chunk_layers);

}  // namespace outcrop::io
