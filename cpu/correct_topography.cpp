// The host program of correct-topography: tables once, then blocks of pixels over the workers.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/check.hpp"
#include "cpu/planes.hpp"
#include "cpu/program.hpp"
#include "model/topography_fit.hpp"

namespace outcrop::cpu {
namespace {

using model::CorrectTopography;

/// Pixels of one call of a worker: enough to make the call cheap, few enough to spread a small tile.
constexpr std::int64_t block_pixels = 256;
static_assert(block_pixels % pixel_padding == 0);

/// Index of each plane in the slot.
struct PlaneIndices {
  int series = absent;
  int bperp = absent;
  int incidence = absent;
  int slant_range = absent;
  int quality_mask = absent;
  int corrected = absent;
  int residual = absent;
  int dem_error = absent;
  int status = absent;
};

PlaneIndices find_planes(const model::Step& step, const SlotLayout& layout) {
  PlaneIndices at;
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

CorrectTopographyPlanes planes_of(const Slot& slot, const PlaneIndices& at) {
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
  return planes;
}

std::int64_t scratch_bytes(const model::TopographyFit& fit, const CorrectTopography& parameters,
                           const CorrectTopographyKernel& kernel) {
  constexpr std::int64_t page_bytes = 4096;  // workers do not share a page
  const std::int64_t bytes = kernel.scratch_bytes(fit.view(), parameters.bperp_m.empty());
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

class CorrectTopographyProgram final : public Program {
 public:
  CorrectTopographyProgram(std::shared_ptr<const model::StepParameters> owner, const CorrectTopography& parameters,
                           const PlaneIndices& planes, const CorrectTopographyKernel& kernel, int num_workers)
      : owner_(std::move(owner)),
        parameters_(parameters),
        planes_(planes),
        kernel_(kernel),
        fit_(model::plan_topography_fit(parameters)),
        scratch_bytes_(scratch_bytes(fit_, parameters, kernel)),
        scratch_(allocate_host(scratch_bytes_ * num_workers)),
        num_workers_(num_workers) {
    fill_tables();
    if (!parameters.bperp_m.empty()) fill_shared();
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
    shared_tables_.baseline_m = shared_.baseline_m.data();
    shared_tables_.slope = shared_.slope.data();
    shared_tables_.column = shared_.column.data();
    shared_tables_.data = fit_.data.data();
    shared_tables_.dependent = shared_.dependent;
    shared_tables_.zero = shared_.zero;
    shared_tables_.square = shared_.square;
    tables_.shared = &shared_tables_;
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
  PlaneIndices planes_;
  const CorrectTopographyKernel& kernel_;
  model::TopographyFit fit_;
  model::SharedBaselines shared_;
  SharedBaselineTables shared_tables_;
  CorrectTopographyTables tables_;
  std::int64_t scratch_bytes_;
  SlotMemory scratch_;
  int num_workers_;
};

std::unique_ptr<Program> make(const model::Step& step, const SlotLayout& layout, const KernelSet& kernels,
                              int num_workers) {
  return std::make_unique<CorrectTopographyProgram>(step.parameters, step.as<CorrectTopography>(),
                                                    find_planes(step, layout), *kernels.correct_topography,
                                                    num_workers);
}

std::int64_t bytes(const model::Step& step, const KernelSet& kernels, int num_workers) {
  const auto& parameters = step.as<CorrectTopography>();
  const model::TopographyFit fit = model::plan_topography_fit(parameters);
  return fit.num_bytes() + scratch_bytes(fit, parameters, *kernels.correct_topography) * num_workers;
}

}  // namespace

const ProgramKind correct_topography_program{"correct-topography", make, bytes};

}  // namespace outcrop::cpu
