#include "cpu/network_planes.hpp"

namespace outcrop::cpu {

NetworkPlaneIndices find_network_planes(const model::Step& step, const SlotLayout& layout) {
  NetworkPlaneIndices at;
  at.observation = index_of(step.inputs, layout, "observation");
  at.coherence = index_of(step.inputs, layout, "coherence");
  at.deviation = index_of(step.inputs, layout, "std");
  at.mask = index_of(step.inputs, layout, "mask");
  at.water_mask = index_of(step.inputs, layout, "water_mask");
  at.quality_mask = index_of(step.inputs, layout, "quality_mask");
  at.timeseries = index_of(step.outputs, layout, "timeseries");
  at.quality = index_of(step.outputs, layout, "quality");
  at.count = index_of(step.outputs, layout, "count");
  at.status = index_of(step.outputs, layout, "status");
  at.islands = index_of(step.outputs, layout, "islands");
  at.covariance = index_of(step.outputs, layout, "covariance");
  return at;
}

InvertNetworkPlanes planes_of(const Slot& slot, const NetworkPlaneIndices& at) {
  InvertNetworkPlanes planes;
  planes.num_pixels = slot.rect.pixels();
  planes.stride = slot.layout().pixel_capacity();
  planes.observation = data_of<float>(slot, at.observation);
  planes.coherence = data_of<float>(slot, at.coherence);
  planes.deviation = data_of<float>(slot, at.deviation);
  planes.mask = data_of<float>(slot, at.mask);
  planes.water_mask = data_of<float>(slot, at.water_mask);
  planes.quality_mask = data_of<float>(slot, at.quality_mask);
  planes.timeseries = data_of<float>(slot, at.timeseries);
  planes.quality = data_of<float>(slot, at.quality);
  planes.count = data_of<float>(slot, at.count);
  planes.status = data_of<std::uint8_t>(slot, at.status);
  planes.islands = data_of<std::uint8_t>(slot, at.islands);
  planes.covariance = data_of<float>(slot, at.covariance);
  return planes;
}

}  // namespace outcrop::cpu
