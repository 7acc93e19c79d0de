#include "gpu/topography_program.hpp"

namespace outcrop::gpu {
namespace {

using model::CorrectTopography;

TopographyPlanes placed(const Slot& slot) {
  TopographyPlanes planes;
  planes.stride = slot.layout().pixel_capacity();
  planes.first_col = slot.rect.col;
  planes.num_cols = slot.rect.cols;
  return planes;
}

}  // namespace

TopographyProgram::TopographyProgram(const model::Step& step, const SlotLayout& layout)
    : Program(step, layout), fit_(model::plan_topography_fit(step.as<CorrectTopography>())) {
  const auto& parameters = step.as<CorrectTopography>();
  fill_scalars(parameters);
  fill_fit();
  if (!parameters.bperp_m.empty()) fill_shared(parameters);
  tables_on_host_ = tables_on_device_;
  tables_on_host_.fit = fit_.view();
  tables_on_host_.shared.baseline_m = shared_.baseline_m.data();
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

void TopographyProgram::fill_scalars(const CorrectTopography& p) {
  TopographyTables& t = tables_on_device_;
  t.reference_date = p.reference_date;
  t.own_baselines = p.bperp_m.empty();
  t.columns_dependent = fit_.dependent;
  t.columns_surprising = fit_.surprising;
  t.rows_enough = fit_.num_rows > fit_.true_rank;
  t.empty_by_mean = p.empty_by_mean;
  t.incidence_deg = p.incidence_deg.value_or(0);
  if (!p.slant_range) return;
  t.first_range_m = p.slant_range->first_m;
  t.range_per_column_m = p.slant_range->per_column_m;
}

void TopographyProgram::fill_fit() {
  model::pixel::FitView& fit = tables_on_device_.fit;
  fit = fit_.view();
  tables_.add(fit_.row_date, fit.row_date);
  tables_.add(fit_.row_minus, fit.row_minus);
  tables_.add(fit_.row_factor, fit.row_factor);
  tables_.add(fit_.basis, fit.basis);
  tables_.add(fit_.predict, fit.predict);
  tables_.add(fit_.gram, fit.gram);
}

void TopographyProgram::fill_shared(const CorrectTopography& p) {
  shared_ = model::plan_shared_baselines(fit_, p);
  model::pixel::SharedBaselineView& t = tables_on_device_.shared;
  t = shared_.view(fit_);
  tables_.add(shared_.baseline_m, t.baseline_m);
  tables_.add(shared_.slope, t.slope);
  tables_.add(shared_.column, t.column);
  tables_.add(fit_.data, t.data);
}

}  // namespace outcrop::gpu
