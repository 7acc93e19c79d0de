#include "gpu/topography_program.hpp"

namespace outcrop::gpu {
namespace {

TopographyPlanes placed(const Slot& slot) {
  TopographyPlanes planes;
  planes.stride = slot.layout().pixel_capacity();
  planes.first_col = slot.rect.col;
  planes.num_cols = slot.rect.cols;
  return planes;
}

}  // namespace

TopographyProgram::TopographyProgram(const model::Step& step, const SlotLayout& layout)
    : Program(step, layout),
      correction_(step),
      tables_on_host_(correction_.view()),
      tables_on_device_(correction_.view()) {
  correction_.place_arrays(tables_on_device_,
                           [this](const auto& values, auto& pointer) { tables_.add(values, pointer); });
}

TopographyPixels TopographyProgram::on_device(const Slot& slot, const DeviceSlot& device) const {
  const SlotLayout& layout = slot.layout();
  TopographyPlanes planes = placed(slot);
  planes.series = device.plane<float>(layout, plane("timeseries"));
  planes.bperp = device.plane<float>(layout, plane("bperp"));
  planes.incidence = device.plane<float>(layout, plane("incidence"));
  planes.slant_range = device.plane<float>(layout, plane("slant_range"));
  planes.quality_mask = device.plane<float>(layout, plane("quality_mask"));
  planes.corrected = device.plane<float>(layout, plane("corrected"));
  planes.residual = device.plane<float>(layout, plane("residual"));
  planes.dem_error = device.plane<float>(layout, plane("dem_error"));
  planes.status = device.plane<std::uint8_t>(layout, plane("status"));
  planes.findings = device.device_findings(layout, place());
  return {tables_on_device_, planes};
}

TopographyPixels TopographyProgram::on_host(const Slot& slot) const {
  TopographyPlanes planes = placed(slot);
  planes.series = host_plane(slot, plane("timeseries"));
  planes.bperp = host_plane(slot, plane("bperp"));
  return {tables_on_host_, planes};
}

}  // namespace outcrop::gpu
