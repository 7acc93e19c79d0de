#include "gpu/network_program.hpp"

namespace outcrop::gpu {

NetworkProgram::NetworkProgram(const model::Step& step, const SlotLayout& layout)
    : Program(step, layout),
      inversion_(step),
      tables_on_host_(inversion_.view()),
      tables_on_device_(inversion_.view()) {
  inversion_.place_arrays(tables_on_device_,
                          [this](const auto& values, auto& pointer) { tables_.add(values, pointer); });
}

NetworkPixels NetworkProgram::on_device(const Slot& slot, const DeviceSlot& device) const {
  const SlotLayout& layout = slot.layout();
  NetworkPlanes planes;
  planes.stride = layout.pixel_capacity();
  planes.reference_pixel = reference_pixel(slot.rect);
  planes.observation = device.plane<float>(layout, plane("observation"));
  planes.coherence = device.plane<float>(layout, plane("coherence"));
  planes.deviation = device.plane<float>(layout, plane("std"));
  planes.mask = device.plane<float>(layout, plane("mask"));
  planes.water_mask = device.plane<float>(layout, plane("water_mask"));
  planes.quality_mask = device.plane<float>(layout, plane("quality_mask"));
  planes.timeseries = device.plane<float>(layout, plane("timeseries"));
  planes.quality = device.plane<float>(layout, plane("quality"));
  planes.count = device.plane<float>(layout, plane("count"));
  planes.status = device.plane<std::uint8_t>(layout, plane("status"));
  planes.islands = device.plane<std::uint8_t>(layout, plane("islands"));
  planes.covariance = device.plane<float>(layout, plane("covariance"));
  planes.findings = device.device_findings(layout, place());
  return {tables_on_device_, planes};
}

NetworkPixels NetworkProgram::on_host(const Slot& slot) const {
  NetworkPlanes planes;
  planes.stride = slot.layout().pixel_capacity();
  planes.observation = host_plane(slot, plane("observation"));
  planes.coherence = host_plane(slot, plane("coherence"));
  planes.deviation = host_plane(slot, plane("std"));
  planes.mask = host_plane(slot, plane("mask"));
  return {tables_on_host_, planes};
}

NetworkScratch NetworkProgram::carve_usual(Workspace& workspace, std::int64_t threads) const {
  NetworkScratch s;
  s.threads = threads;
  s.conductance = workspace.take<double>(inversion_.elimination().num_edges(), threads);
  s.x = workspace.take<double>(num_dates(), threads);
  s.inverse = workspace.take<double>(num_dates(), threads);
  s.redundancy = workspace.take<float>(num_dates(), threads);
  s.island = workspace.take<std::int32_t>(num_dates(), threads);
  s.number = workspace.take<std::int32_t>(num_dates(), threads);
  s.offset = workspace.take<double>(num_dates(), threads);
  if (has_covariance()) s.covariance = workspace.take<double>(num_dates() * num_dates(), threads);
  return s;
}

std::int64_t NetworkProgram::reference_pixel(const TileRect& rect) const {
  const model::InvertNetwork& p = inversion_.parameters();
  if (!p.has_reference_pixel || !rect.contains(p.reference_row, p.reference_col)) return -1;
  return (p.reference_row - rect.row) * rect.cols + p.reference_col - rect.col;
}

}  // namespace outcrop::gpu
