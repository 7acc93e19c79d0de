// The device program of correct-topography: tables once, then a launch for each tile.
#include <vector>

#include "gpu/program.hpp"
#include "gpu/workspace.hpp"
#include "model/topography_fit.hpp"

namespace outcrop::gpu {
namespace {

using model::CorrectTopography;

class CorrectTopographyProgram final : public Program {
 public:
  CorrectTopographyProgram(const model::Step& step, const SlotLayout& layout)
      : Program(step, layout), fit_(model::plan_topography_fit(step.as<CorrectTopography>())) {
    const auto& parameters = step.as<CorrectTopography>();
    fill_scalars(parameters);
    fill_fit();
    if (!parameters.bperp_m.empty()) fill_shared(parameters);
  }

  std::int64_t workspace_bytes(std::int64_t threads) const override {
    Workspace workspace;
    carve(workspace, threads);
    return workspace.used();
  }

 private:
  TopographyScratch carve(Workspace& workspace, std::int64_t threads) const {
    TopographyScratch s;
    s.threads = threads;
    s.coefficient = workspace.take<double>(fit_.rank, threads);
    if (!tables_on_device_.own_baselines) return s;
    s.baseline_rows = workspace.take<double>(fit_.num_rows, threads);
    s.series_rows = workspace.take<double>(fit_.num_rows, threads);
    s.of_baseline = workspace.take<double>(fit_.rank, threads);
    return s;
  }

  void launch(const Slot& slot, const DeviceSlot& device, std::byte* memory, Stream& stream) const override {
    Workspace workspace(memory);
    const TopographyScratch scratch = carve(workspace, threads());
    const TopographyKernel kernel{tables_on_device_, planes_of(slot, device), scratch};
    stream.launch({kernel, slot.rect.pixels(), scratch.threads, flops(slot)});
  }

  TopographyPlanes planes_of(const Slot& slot, const DeviceSlot& device) const {
    const SlotLayout& layout = slot.layout();
    TopographyPlanes planes;
    planes.stride = layout.pixel_capacity();
    planes.first_col = slot.rect.col;
    planes.num_cols = slot.rect.cols;
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
    return planes;
  }

  void fill_scalars(const CorrectTopography& p) {
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

  void fill_fit() {
    model::pixel::FitView& fit = tables_on_device_.fit;
    fit = fit_.view();
    tables_.add(fit_.row_date, fit.row_date);
    tables_.add(fit_.row_minus, fit.row_minus);
    tables_.add(fit_.row_factor, fit.row_factor);
    tables_.add(fit_.basis, fit.basis);
    tables_.add(fit_.predict, fit.predict);
    tables_.add(fit_.gram, fit.gram);
  }

  void fill_shared(const CorrectTopography& p) {
    const model::SharedBaselines shared = model::plan_shared_baselines(fit_, p);
    SharedBaselineTables& t = tables_on_device_.shared;
    t.dependent = shared.dependent;
    t.zero = shared.zero;
    t.square = shared.square;
    tables_.add(shared.baseline_m, t.baseline_m);
    tables_.add(shared.slope, t.slope);
    tables_.add(shared.column, t.column);
    tables_.add(fit_.data, t.data);
  }

  model::TopographyFit fit_;
  TopographyTables tables_on_device_;
};

std::unique_ptr<Program> make(const model::Step& step, const SlotLayout& layout) {
  return std::make_unique<CorrectTopographyProgram>(step, layout);
}

}  // namespace

const ProgramKind correct_topography_program{"correct-topography", make};

}  // namespace outcrop::gpu
