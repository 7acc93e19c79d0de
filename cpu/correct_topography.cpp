// The host program of correct-topography: tables once, then blocks of pixels over the workers.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/check.hpp"
#include "cpu/marked_pixels.hpp"
#include "cpu/program.hpp"
#include "cpu/topography_planes.hpp"
#include "model/topography_fit.hpp"

namespace outcrop::cpu {
namespace {

using model::CorrectTopography;

/// Pixels of one call of a worker: enough to make the call cheap, few enough to spread a small tile.
constexpr std::int64_t block_pixels = 256;
static_assert(block_pixels % pixel_padding == 0);

/// 0: the structured solver.
std::int32_t num_unknowns(const model::Step& step, const model::TopographyFit& fit) {
  return step.solver == model::Solver::batched ? fit.true_rank + 1 : 0;
}

std::int64_t scratch_bytes(const model::TopographyFit& fit, const CorrectTopography& parameters,
                           const CorrectTopographyKernel& kernel, std::int32_t num_unknowns) {
  constexpr std::int64_t page_bytes = 4096;  // workers do not share a page
  const std::int64_t bytes = kernel.scratch_bytes(fit.view(), parameters.bperp_m.empty(), num_unknowns);
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

class CorrectTopographyProgram final : public Program {
 public:
  CorrectTopographyProgram(const model::Step& step, const SlotLayout& layout, const CorrectTopographyKernel& kernel,
                           int num_workers)
      : owner_(step.parameters),
        parameters_(step.as<CorrectTopography>()),
        planes_(find_topography_planes(step, layout)),
        kernel_(kernel),
        fit_(model::plan_topography_fit(parameters_)),
        scratch_bytes_(scratch_bytes(fit_, parameters_, kernel, num_unknowns(step, fit_))),
        scratch_(allocate_host(scratch_bytes_ * num_workers)),
        num_workers_(num_workers) {
    fill_tables();
    if (!parameters_.bperp_m.empty()) fill_shared();
    if (step.solver == model::Solver::batched) fill_batched(step, layout);
  }

  void run(Slot& slot, const ParallelFor& parallel) override {
    const CorrectTopographyPlanes planes = planes_of(slot, planes_);
    const std::int64_t num_blocks = (planes.num_pixels + block_pixels - 1) / block_pixels;
    std::vector<TopographyCounts> counts(static_cast<std::size_t>(num_workers_));
    parallel.run(num_blocks, [&](std::int64_t block, int worker) {
      const std::int64_t begin = block * block_pixels;
      TopographyCounts found;
      kernel_.run(tables_, planes, begin, std::min(begin + block_pixels, planes.num_pixels),
                  scratch_.get() + worker * scratch_bytes_, found);
      TopographyCounts& total = counts[static_cast<std::size_t>(worker)];
      for (int s = 0; s < num_pixel_status; ++s) total.status[s] += found.status[s];
      for (int f = 0; f < model::num_correct_topography_findings; ++f) total.finding[f] += found.finding[f];
    });
    slot.tally = tally_of(counts);
    if (solve_marked_) solve_marked_(slot, parallel);
  }

 private:
  void fill_tables() {
    const CorrectTopography& p = parameters_;
    tables_.fit = fit_.view();
    tables_.reference_date = p.reference_date;
    tables_.columns_dependent = fit_.dependent;
    tables_.columns_surprising = fit_.surprising;
    tables_.rows_enough = fit_.num_rows > fit_.true_rank;
    tables_.empty_by_mean = p.empty_by_mean;
    tables_.incidence_deg = p.incidence_deg.value_or(0);
    if (!p.slant_range) return;
    tables_.first_range_m = p.slant_range->first_m;
    tables_.range_per_column_m = p.slant_range->per_column_m;
  }

  void fill_shared() {
    shared_ = model::plan_shared_baselines(fit_, parameters_);
    shared_view_ = shared_.view(fit_);
    tables_.shared = &shared_view_;
  }

  void fill_batched(const model::Step& step, const SlotLayout& layout) {
    tables_.num_unknowns = num_unknowns(step, fit_);
    tables_.all_deficient = tables_.shared != nullptr && shared_.dependent;
    solve_marked_ = make_marked_solver(step, layout);
  }

  static Tally tally_of(const std::vector<TopographyCounts>& counts) {
    Tally tally;
    tally.deviations.assign(model::num_correct_topography_findings, 0);
    for (const TopographyCounts& worker : counts) {
      for (std::size_t s = 0; s < tally.status.size(); ++s) tally.status[s] += worker.status[s];
      for (std::size_t f = 0; f < tally.deviations.size(); ++f) tally.deviations[f] += worker.finding[f];
    }
    return tally;
  }

  std::shared_ptr<const model::StepParameters> owner_;  ///< keeps parameters_ alive
  const CorrectTopography& parameters_;
  TopographyPlaneIndices planes_;
  const CorrectTopographyKernel& kernel_;
  model::TopographyFit fit_;
  model::SharedBaselines shared_;
  model::pixel::SharedBaselineView shared_view_;
  CorrectTopographyTables tables_;
  MarkedSolver solve_marked_;  ///< empty when there is nothing to look at again
  std::int64_t scratch_bytes_;
  SlotMemory scratch_;
  int num_workers_;
};

std::unique_ptr<Program> make(const model::Step& step, const SlotLayout& layout, const KernelSet& kernels,
                              int num_workers) {
  return std::make_unique<CorrectTopographyProgram>(step, layout, *kernels.correct_topography, num_workers);
}

std::int64_t bytes(const model::Step& step, const KernelSet& kernels, int num_workers) {
  const auto& parameters = step.as<CorrectTopography>();
  const model::TopographyFit fit = model::plan_topography_fit(parameters);
  const std::int64_t scratch = scratch_bytes(fit, parameters, *kernels.correct_topography, num_unknowns(step, fit));
  const bool batched = step.solver == model::Solver::batched;
  return fit.num_bytes() + scratch * num_workers + (batched ? marked_solver_bytes(step, num_workers) : 0);
}

}  // namespace

const ProgramKind correct_topography_program{"correct-topography", make, bytes};

}  // namespace outcrop::cpu
