#include "cpu/topography_planes.hpp"

#include <cstdint>

#include "core/check.hpp"

namespace outcrop::cpu {
namespace {

/// What the kernel streams to: a store past the caches faults at any other address.
void expect_whole_lines(const float* plane, std::int64_t stride) {
  constexpr std::uintptr_t line_bytes = 64;
  const bool first_row = reinterpret_cast<std::uintptr_t>(plane) % line_bytes == 0;
  const bool other_rows = static_cast<std::uintptr_t>(stride) * sizeof(float) % line_bytes == 0;
  OUTCROP_EXPECT(first_row && other_rows,
                 "a plane that correct-topography writes does not begin each row on a cache line");
}

}  // namespace

TopographyPlaneIndices find_topography_planes(const model::Step& step, const SlotLayout& layout) {
  TopographyPlaneIndices at;
  at.series = index_of(step.inputs, layout, "timeseries");
  at.bperp = index_of(step.inputs, layout, "bperp");
  at.incidence = index_of(step.inputs, layout, "incidence");
  at.slant_range = index_of(step.inputs, layout, "slant_range");
  at.quality_mask = index_of(step.inputs, layout, "quality_mask");
  at.corrected = index_of(step.outputs, layout, "corrected");
  at.residual = index_of(step.outputs, layout, "residual");
  at.dem_error = index_of(step.outputs, layout, "dem_error");
  at.status = index_of(step.outputs, layout, "status");
  return at;
}

CorrectTopographyPlanes planes_of(const Slot& slot, const TopographyPlaneIndices& at) {
  CorrectTopographyPlanes planes;
  planes.num_pixels = slot.rect.pixels();
  planes.stride = slot.layout().pixel_capacity();
  planes.first_col = slot.rect.col;
  planes.num_cols = slot.rect.cols;
  planes.series = data_of<float>(slot, at.series);
  planes.bperp = data_of<float>(slot, at.bperp);
  planes.incidence = data_of<float>(slot, at.incidence);
  planes.slant_range = data_of<float>(slot, at.slant_range);
  planes.quality_mask = data_of<float>(slot, at.quality_mask);
  planes.corrected = data_of<float>(slot, at.corrected);
  planes.residual = data_of<float>(slot, at.residual);
  planes.dem_error = data_of<float>(slot, at.dem_error);
  planes.status = data_of<std::uint8_t>(slot, at.status);
  expect_whole_lines(planes.corrected, planes.stride);
  expect_whole_lines(planes.residual, planes.stride);
  return planes;
}

}  // namespace outcrop::cpu
