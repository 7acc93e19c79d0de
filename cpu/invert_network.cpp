// The host program of invert-network: tables once, then blocks of pixels over the workers.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/check.hpp"
#include "cpu/program.hpp"

namespace outcrop::cpu {
namespace {

using model::InvertNetwork;

/// Pixels of one call of a worker: enough to make the call cheap, few enough to spread a small tile.
constexpr std::int64_t block_pixels = 128;
static_assert(block_pixels % pixel_padding == 0);

constexpr int absent = -1;

/// Index of each plane in the slot.
struct PlaneIndices {
  int phase = absent;
  int coherence = absent;
  int mask = absent;
  int water_mask = absent;
  int quality_mask = absent;
  int timeseries = absent;
  int temporal_coherence = absent;
  int count = absent;
  int status = absent;
};

PlaneIndices find_planes(const model::Step& step, const SlotLayout& layout) {
  const auto input = [&](const char* name) {
    const bool declared =
        std::any_of(step.inputs.begin(), step.inputs.end(), [&](const auto& plane) { return plane.name == name; });
    return declared ? layout.index(name) : absent;
  };
  PlaneIndices at;
  at.phase = input("phase");
  at.coherence = input("coherence");
  at.mask = input("mask");
  at.water_mask = input("water_mask");
  at.quality_mask = input("quality_mask");
  at.timeseries = layout.index("timeseries");
  at.temporal_coherence = layout.index("temporal_coherence");
  at.count = layout.index("count");
  at.status = layout.index("status");
  return at;
}

template <class T>
T* data_of(const Slot& slot, int plane) {
  return plane == absent ? nullptr : slot.plane<T>(plane).data_handle();
}

InvertNetworkPlanes planes_of(const Slot& slot, const PlaneIndices& at) {
  InvertNetworkPlanes planes;
  planes.num_pixels = slot.rect.pixels();
  planes.stride = slot.layout().pixel_capacity();
  planes.phase = data_of<float>(slot, at.phase);
  planes.coherence = data_of<float>(slot, at.coherence);
  planes.mask = data_of<float>(slot, at.mask);
  planes.water_mask = data_of<float>(slot, at.water_mask);
  planes.quality_mask = data_of<float>(slot, at.quality_mask);
  planes.timeseries = data_of<float>(slot, at.timeseries);
  planes.temporal_coherence = data_of<float>(slot, at.temporal_coherence);
  planes.count = data_of<float>(slot, at.count);
  planes.status = data_of<std::uint8_t>(slot, at.status);
  return planes;
}

std::int64_t scratch_bytes(const model::EliminationView& plan, const InvertNetworkKernel& kernel) {
  constexpr std::int64_t page_bytes = 4096;  // workers do not share a page
  const std::int64_t bytes = kernel.scratch_bytes(plan.num_dates, plan.num_pairs, plan.num_edges);
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

class InvertNetworkProgram final : public Program {
 public:
  InvertNetworkProgram(std::shared_ptr<const model::StepParameters> owner, const InvertNetwork& parameters,
                       const PlaneIndices& planes, const InvertNetworkKernel& kernel, int num_workers)
      : owner_(std::move(owner)),
        parameters_(parameters),
        planes_(planes),
        kernel_(kernel),
        elimination_(model::plan_elimination(parameters.network)),
        weights_(parameters.weight, parameters.num_looks),
        scratch_bytes_(scratch_bytes(elimination_.view(), kernel)),
        scratch_(allocate_host(scratch_bytes_ * num_workers)),
        num_workers_(num_workers) {
    for (const float step : model::date_steps_yr(parameters.network)) step_yr_.push_back(static_cast<double>(step));
    for (std::size_t k = 0; k < parameters.reference.size(); ++k) {
      if (std::isfinite(parameters.reference[k])) pair_in_use_.push_back(static_cast<std::int32_t>(k));
    }
    fill_tables();
  }

  void run(Slot& slot, const ParallelFor& parallel) override {
    const InvertNetworkPlanes planes = planes_of(slot, planes_);
    const std::int64_t num_blocks = (planes.num_pixels + block_pixels - 1) / block_pixels;
    std::vector<PixelCounts> counts(static_cast<std::size_t>(num_workers_));
    parallel.run(num_blocks, [&](std::int64_t block, int worker) {
      const std::int64_t begin = block * block_pixels;
      PixelCounts found;
      kernel_.run(tables_, planes, begin, std::min(begin + block_pixels, planes.num_pixels),
                  scratch_.get() + worker * scratch_bytes_, found);
      PixelCounts& total = counts[static_cast<std::size_t>(worker)];
      for (int s = 0; s < num_pixel_status; ++s) total.status[s] += found.status[s];
      total.with_infinity += found.with_infinity;
    });
    slot.tally = tally_of(counts);
    if (parameters_.has_reference_pixel) set_reference_pixel(slot, planes);
  }

 private:
  void fill_tables() {
    tables_.plan = elimination_.view();
    tables_.pair_in_use = pair_in_use_.data();
    tables_.num_in_use = static_cast<std::int32_t>(pair_in_use_.size());
    tables_.reference = parameters_.reference.data();
    tables_.weight = {weights_.function(), weights_.table().data(), static_cast<double>(weights_.num_looks())};
    tables_.mask = parameters_.mask;
    tables_.mask_is_coherence = parameters_.mask_is_coherence;
    tables_.mask_threshold = parameters_.mask_threshold;
    tables_.min_redundancy = parameters_.min_redundancy;
    tables_.norm = parameters_.norm;
    tables_.step_yr = step_yr_.data();
    tables_.metres_per_radian = parameters_.metres_per_radian;
  }

  static Tally tally_of(const std::vector<PixelCounts>& counts) {
    Tally tally;
    tally.deviations.assign(1, 0);
    for (const PixelCounts& worker : counts) {
      for (std::size_t s = 0; s < tally.status.size(); ++s) tally.status[s] += worker.status[s];
      tally.deviations[0] += worker.with_infinity;
    }
    return tally;
  }

  /// Every sample of the reference pixel is 0 after referencing, so that it looks like no data: its quality is perfect
  /// by definition.
  void set_reference_pixel(Slot& slot, const InvertNetworkPlanes& planes) const {
    if (!slot.rect.contains(parameters_.reference_row, parameters_.reference_col)) return;
    const std::int64_t at =
        (parameters_.reference_row - slot.rect.row) * slot.rect.cols + parameters_.reference_col - slot.rect.col;
    --slot.tally.status[planes.status[at]];
    ++slot.tally[PixelStatus::ok];
    planes.status[at] = static_cast<std::uint8_t>(PixelStatus::ok);
    planes.temporal_coherence[at] = 1;
    planes.count[at] = static_cast<float>(pair_in_use_.size());
  }

  std::shared_ptr<const model::StepParameters> owner_;  ///< keeps parameters_ alive
  const InvertNetwork& parameters_;
  PlaneIndices planes_;
  const InvertNetworkKernel& kernel_;
  model::Elimination elimination_;
  model::Weights weights_;
  std::vector<double> step_yr_;
  std::vector<std::int32_t> pair_in_use_;
  InvertNetworkTables tables_;
  std::int64_t scratch_bytes_;
  SlotMemory scratch_;
  int num_workers_;
};

std::unique_ptr<Program> make(const model::Step& step, const SlotLayout& layout, const KernelSet& kernels,
                              int num_workers) {
  return std::make_unique<InvertNetworkProgram>(step.parameters, step.as<InvertNetwork>(), find_planes(step, layout),
                                                *kernels.invert_network, num_workers);
}

std::int64_t bytes(const model::Step& step, const KernelSet& kernels, int num_workers) {
  const model::Elimination elimination = model::plan_elimination(step.as<InvertNetwork>().network);
  return elimination.num_bytes() + scratch_bytes(elimination.view(), *kernels.invert_network) * num_workers;
}

}  // namespace

const ProgramKind invert_network_program{"invert-network", make, bytes};

}  // namespace outcrop::cpu
