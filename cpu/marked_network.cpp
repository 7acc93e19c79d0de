// Marked pixels of the step invert-network.
#include <algorithm>
#include <memory>

#include "cpu/marked_pixels.hpp"
#include "cpu/network_planes.hpp"
#include "cpu/reference/invert_network.hpp"

namespace outcrop::cpu {
namespace {

using model::InvertNetwork;

std::vector<float> samples_at(const float* plane, std::int64_t depth, std::int64_t stride, std::int64_t pixel) {
  std::vector<float> samples;
  for (std::int64_t k = 0; plane != nullptr && k < depth; ++k) samples.push_back(plane[k * stride + pixel]);
  return samples;
}

reference::PixelSamples samples_of(const InvertNetworkPlanes& planes, std::int64_t depth, std::int64_t pixel) {
  reference::PixelSamples samples;
  samples.observation = samples_at(planes.observation, depth, planes.stride, pixel);
  samples.coherence = samples_at(planes.coherence, depth, planes.stride, pixel);
  samples.deviation = samples_at(planes.deviation, depth, planes.stride, pixel);
  samples.mask = samples_at(planes.mask, depth, planes.stride, pixel);
  return samples;  // masks of pixels: a masked pixel is not marked
}

class MarkedNetwork {
 public:
  MarkedNetwork(const model::Step& step, const SlotLayout& layout)
      : owner_(step.parameters),
        parameters_(step.as<InvertNetwork>()),
        weights_(parameters_.weight, parameters_.num_looks),
        planes_(find_network_planes(step, layout)) {}

  void run(Slot& slot, const ParallelFor& parallel) const {
    const InvertNetworkPlanes planes = planes_of(slot, planes_);
    const std::vector<std::int64_t> pixels = find_marked(planes.status, planes.num_pixels);
    if (pixels.empty()) return;
    parallel.run(static_cast<std::int64_t>(pixels.size()), [&](std::int64_t i, int) {
      const std::int64_t pixel = pixels[static_cast<std::size_t>(i)];
      const auto samples = samples_of(planes, parameters_.num_pairs(), pixel);
      write(planes, pixel, reference::invert_network(parameters_, weights_, samples));
    });
    for (const std::int64_t pixel : pixels) ++slot.tally.status[planes.status[pixel]];
  }

 private:
  void write(const InvertNetworkPlanes& planes, std::int64_t pixel, const reference::PixelAnswer& answer) const {
    constexpr std::int64_t most_islands = 255;
    for (std::size_t date = 0; date < answer.timeseries_m.size(); ++date) {
      planes.timeseries[static_cast<std::int64_t>(date) * planes.stride + pixel] =
          static_cast<float>(answer.timeseries_m[date]);
    }
    planes.quality[pixel] = static_cast<float>(answer.quality);
    planes.count[pixel] = static_cast<float>(answer.count);
    planes.status[pixel] = static_cast<std::uint8_t>(answer.status);
    if (planes.islands == nullptr) return;
    const std::int64_t islands = parameters_.network.num_dates() - answer.rank;
    planes.islands[pixel] = static_cast<std::uint8_t>(std::min(islands, most_islands));
  }

  std::shared_ptr<const model::StepParameters> owner_;  ///< keeps parameters_ alive
  const InvertNetwork& parameters_;
  model::Weights weights_;
  NetworkPlaneIndices planes_;
};

}  // namespace

MarkedSolver make_marked_network_solver(const model::Step& step, const SlotLayout& layout) {
  const auto marked = std::make_shared<const MarkedNetwork>(step, layout);
  return [marked](Slot& slot, const ParallelFor& parallel) { marked->run(slot, parallel); };
}

}  // namespace outcrop::cpu
