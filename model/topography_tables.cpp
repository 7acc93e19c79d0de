#include "model/topography_tables.hpp"

namespace outcrop::model {

TopographyTables::TopographyTables(const Step& step) : fit_(plan_topography_fit(step.as<CorrectTopography>())) {
  fill_scalars(step.as<CorrectTopography>());
  if (step.solver != Solver::batched) return;
  scalars_.num_unknowns = fit_.true_rank + 1;
  scalars_.all_deficient = shared_.dependent;
}

TopographyView TopographyTables::view() const {
  TopographyView view = scalars_;
  place_arrays(view, [](const auto& values, auto& pointer) { pointer = values.data(); });
  return view;
}

void TopographyTables::fill_scalars(const CorrectTopography& p) {
  scalars_.fit = fit_.view();
  scalars_.reference_date = p.reference_date;
  scalars_.own_baselines = p.bperp_m.empty();
  if (!scalars_.own_baselines) {
    shared_ = plan_shared_baselines(fit_, p);
    scalars_.shared = shared_.view(fit_);
  }
  scalars_.columns_dependent = fit_.dependent;
  scalars_.columns_surprising = fit_.surprising;
  scalars_.rows_enough = fit_.num_rows > fit_.true_rank;
  scalars_.empty_by_mean = p.empty_by_mean;
  scalars_.incidence_deg = p.incidence_deg.value_or(0);
  if (!p.slant_range) return;
  scalars_.first_range_m = p.slant_range->first_m;
  scalars_.range_per_column_m = p.slant_range->per_column_m;
}

}  // namespace outcrop::model
