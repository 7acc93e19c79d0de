// Groups the layers that a plane wants by chunk.
#include "io/layer_selection.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace outcrop::io {

std::vector<LayerGroup> group_layers(const std::vector<std::int64_t>& layers, std::int64_t chunk_layers) {
  std::vector<std::pair<std::int64_t, std::int64_t>> wanted;  // layer of the dataset, of the plane
  for (std::size_t i = 0; i < layers.size(); ++i) wanted.emplace_back(layers[i], static_cast<std::int64_t>(i));
  std::sort(wanted.begin(), wanted.end());
  std::vector<LayerGroup> groups;
  for (const auto& [layer, in_plane] : wanted) {
    const std::int64_t chunk_layer = layer / chunk_layers;
    if (groups.empty() || groups.back().chunk_layer != chunk_layer) groups.push_back({chunk_layer, 0, {}});
    LayerGroup& group = groups.back();
    const std::int64_t in_chunk = layer % chunk_layers;
    if (group.layers.empty() || group.layers.back().in_chunk != in_chunk) ++group.distinct;
    group.layers.push_back({in_chunk, in_plane});
  }
  return groups;
}

}  // namespace outcrop::io
