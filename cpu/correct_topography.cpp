// The host program of correct-topography: tables once, then blocks of pixels over the workers.
#include "cpu/blocks.hpp"
#include "cpu/marked_pixels.hpp"
#include "cpu/program.hpp"
#include "cpu/topography_planes.hpp"
#include "model/topography_tables.hpp"

namespace outcrop::cpu {
namespace {

/// Pixels of one call of a worker: enough to make the call cheap, few enough to spread a small tile.
constexpr std::int64_t block_pixels = 256;
static_assert(block_pixels % pixel_padding == 0);

std::int64_t scratch_bytes(const model::TopographyView& tables, const CorrectTopographyKernel& kernel) {
  return whole_pages(kernel.scratch_bytes(tables.fit, tables.own_baselines, tables.num_unknowns));
}

class CorrectTopographyProgram final : public Program {
 public:
  CorrectTopographyProgram(const model::Step& step, const SlotLayout& layout, const CorrectTopographyKernel& kernel,
                           int num_workers)
      : tables_(step),
        view_(tables_.view()),
        planes_(find_topography_planes(step, layout)),
        kernel_(kernel),
        scratch_bytes_(scratch_bytes(view_, kernel)),
        scratch_(allocate_host(scratch_bytes_ * num_workers)),
        num_workers_(num_workers) {
    if (step.solver == model::Solver::batched) solve_marked_ = make_marked_solver(step, layout);
  }

  void run(Slot& slot, const ParallelFor& parallel) override {
    const CorrectTopographyPlanes planes = planes_of(slot, planes_);
    slot.tally = run_blocks<model::num_correct_topography_findings>(
        planes.num_pixels, block_pixels, num_workers_, parallel,
        [&](std::int64_t begin, std::int64_t end, int worker, TopographyCounts& counts) {
          kernel_.run(view_, planes, begin, end, scratch_.get() + worker * scratch_bytes_, counts);
        });
    if (solve_marked_) solve_marked_(slot, parallel);
  }

 private:
  model::TopographyTables tables_;
  model::TopographyView view_;
  TopographyPlaneIndices planes_;
  const CorrectTopographyKernel& kernel_;
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
  const model::TopographyTables tables(step);
  const std::int64_t scratch = scratch_bytes(tables.view(), *kernels.correct_topography);
  const bool batched = step.solver == model::Solver::batched;
  return tables.fit().num_bytes() + scratch * num_workers + (batched ? marked_solver_bytes(step, num_workers) : 0);
}

}  // namespace

const ProgramKind correct_topography_program{"correct-topography", make, bytes};

}  // namespace outcrop::cpu
