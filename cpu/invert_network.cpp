// The host program of invert-network: tables once, then blocks of pixels over the workers.
#include "cpu/blocks.hpp"
#include "cpu/marked_pixels.hpp"
#include "cpu/network_planes.hpp"
#include "cpu/program.hpp"

namespace outcrop::cpu {
namespace {

using model::InvertNetwork;

/// Pixels of one call of a worker: enough to make the call cheap, few enough to spread a small tile.
constexpr std::int64_t block_pixels = 128;
static_assert(block_pixels % pixel_padding == 0);

std::int64_t scratch_bytes(const model::EliminationView& plan, const InvertNetwork& parameters,
                           const InvertNetworkKernel& kernel, bool batched) {
  return whole_pages(kernel.scratch_bytes(plan, parameters.covariance.has_value(), batched));
}

class InvertNetworkProgram final : public Program {
 public:
  InvertNetworkProgram(const model::Step& step, const SlotLayout& layout, const InvertNetworkKernel& kernel,
                       int num_workers)
      : tables_(step),
        view_(tables_.view()),
        planes_(find_network_planes(step, layout)),
        kernel_(kernel),
        scratch_bytes_(scratch_bytes(view_.plan, tables_.parameters(), kernel, view_.batched)),
        scratch_(allocate_host(scratch_bytes_ * num_workers)),
        num_workers_(num_workers) {
    if (view_.batched) solve_marked_ = make_marked_solver(step, layout);
  }

  void run(Slot& slot, const ParallelFor& parallel) override {
    const InvertNetworkPlanes planes = planes_of(slot, planes_);
    slot.tally = run_blocks<model::num_invert_network_findings>(
        planes.num_pixels, block_pixels, num_workers_, parallel,
        [&](std::int64_t begin, std::int64_t end, int worker, InversionCounts& counts) {
          kernel_.run(view_, planes, begin, end, scratch_.get() + worker * scratch_bytes_, counts);
        });
    if (solve_marked_) solve_marked_(slot, parallel);
    if (tables_.parameters().has_reference_pixel) set_reference_pixel(slot, planes);
  }

 private:
  /// Every phase of the reference pixel is 0 after referencing, so that it looks like no data: its quality is perfect
  /// by definition.
  void set_reference_pixel(Slot& slot, const InvertNetworkPlanes& planes) const {
    const InvertNetwork& p = tables_.parameters();
    if (!slot.rect.contains(p.reference_row, p.reference_col)) return;
    const std::int64_t at = (p.reference_row - slot.rect.row) * slot.rect.cols + p.reference_col - slot.rect.col;
    --slot.tally.status[planes.status[at]];
    ++slot.tally[PixelStatus::ok];
    planes.status[at] = static_cast<std::uint8_t>(PixelStatus::ok);
    planes.quality[at] = view_.quality_is_residual ? 0.0F : 1.0F;
    planes.count[at] = view_.reference_count;
  }

  model::InversionTables tables_;
  model::InversionView view_;
  NetworkPlaneIndices planes_;
  const InvertNetworkKernel& kernel_;
  MarkedSolver solve_marked_;  ///< empty when there is nothing to look at again
  std::int64_t scratch_bytes_;
  SlotMemory scratch_;
  int num_workers_;
};

std::unique_ptr<Program> make(const model::Step& step, const SlotLayout& layout, const KernelSet& kernels,
                              int num_workers) {
  return std::make_unique<InvertNetworkProgram>(step, layout, *kernels.invert_network, num_workers);
}

std::int64_t bytes(const model::Step& step, const KernelSet& kernels, int num_workers) {
  const auto& parameters = step.as<InvertNetwork>();
  const model::Elimination elimination = model::plan_elimination(parameters.network);
  const bool batched = step.solver == model::Solver::batched;
  const std::int64_t scratch = scratch_bytes(elimination.view(), parameters, *kernels.invert_network, batched);
  return elimination.num_bytes() + scratch * num_workers + (batched ? marked_solver_bytes(step, num_workers) : 0);
}

}  // namespace

const ProgramKind invert_network_program{"invert-network", make, bytes};

}  // namespace outcrop::cpu
