// The host program of invert-network: tables once, then blocks of pixels over the workers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/check.hpp"
#include "cpu/planes.hpp"
#include "cpu/program.hpp"

namespace outcrop::cpu {
namespace {

using model::InvertNetwork;

/// Pixels of one call of a worker: enough to make the call cheap, few enough to spread a small tile.
constexpr std::int64_t block_pixels = 128;
static_assert(block_pixels % pixel_padding == 0);

/// Index of each plane in the slot.
struct PlaneIndices {
  int observation = absent;
  int coherence = absent;
  int deviation = absent;
  int mask = absent;
  int water_mask = absent;
  int quality_mask = absent;
  int timeseries = absent;
  int quality = absent;
  int count = absent;
  int status = absent;
  int islands = absent;
  int covariance = absent;
};

PlaneIndices find_planes(const model::Step& step, const SlotLayout& layout) {
  PlaneIndices at;
  at.observation = index_of(step.inputs, layout, "observation");
  at.coherence = index_of(step.inputs, layout, "coherence");
  at.deviation = index_of(step.inputs, layout, "std");
  at.mask = index_of(step.inputs, layout, "mask");
  at.water_mask = index_of(step.inputs, layout, "water_mask");
  at.quality_mask = index_of(step.inputs, layout, "quality_mask");
  at.timeseries = index_of(step.outputs, layout, "timeseries");
  at.quality = index_of(step.outputs, layout, "quality");
  at.count = index_of(step.outputs, layout, "count");
  at.status = index_of(step.outputs, layout, "status");
  at.islands = index_of(step.outputs, layout, "islands");
  at.covariance = index_of(step.outputs, layout, "covariance");
  return at;
}

InvertNetworkPlanes planes_of(const Slot& slot, const PlaneIndices& at) {
  InvertNetworkPlanes planes;
  planes.num_pixels = slot.rect.pixels();
  planes.stride = slot.layout().pixel_capacity();
  planes.observation = data_of<float>(slot, at.observation);
  planes.coherence = data_of<float>(slot, at.coherence);
  planes.deviation = data_of<float>(slot, at.deviation);
  planes.mask = data_of<float>(slot, at.mask);
  planes.water_mask = data_of<float>(slot, at.water_mask);
  planes.quality_mask = data_of<float>(slot, at.quality_mask);
  planes.timeseries = data_of<float>(slot, at.timeseries);
  planes.quality = data_of<float>(slot, at.quality);
  planes.count = data_of<float>(slot, at.count);
  planes.status = data_of<std::uint8_t>(slot, at.status);
  planes.islands = data_of<std::uint8_t>(slot, at.islands);
  planes.covariance = data_of<float>(slot, at.covariance);
  return planes;
}

std::int64_t scratch_bytes(const model::EliminationView& plan, const InvertNetwork& parameters,
                           const InvertNetworkKernel& kernel) {
  constexpr std::int64_t page_bytes = 4096;  // workers do not share a page
  const std::int64_t bytes = kernel.scratch_bytes(plan, parameters.covariance.has_value());
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
        variances_(variances_of(parameters)),
        scratch_bytes_(scratch_bytes(elimination_.view(), parameters, kernel)),
        scratch_(allocate_host(scratch_bytes_ * num_workers)),
        num_workers_(num_workers) {
    for (const float step : model::date_steps_yr(parameters.network)) step_yr_.push_back(static_cast<double>(step));
    for (std::size_t k = 0; k < parameters.reference.size(); ++k) {
      if (std::isfinite(parameters.reference[k])) pair_in_use_.push_back(static_cast<std::int32_t>(k));
    }
    // By edge: the kernel finishes one conductance after the other.
    std::stable_sort(pair_in_use_.begin(), pair_in_use_.end(),
                     [this](std::int32_t a, std::int32_t b) { return edge_of(a) < edge_of(b); });
    for (const int date : model::order_without(parameters.network.num_dates(), series_origin(parameters))) {
      series_position_.push_back(elimination_.position[static_cast<std::size_t>(date)]);
    }
    fill_tables();
    if (parameters.covariance) fill_covariance(*parameters.covariance);
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
      for (int f = 0; f < model::num_invert_network_findings; ++f) total.finding[f] += found.finding[f];
    });
    slot.tally = tally_of(counts);
    if (parameters_.has_reference_pixel) set_reference_pixel(slot, planes);
  }

 private:
  std::int32_t edge_of(std::int32_t pair) const { return elimination_.pair_edge[static_cast<std::size_t>(pair)]; }

  void fill_tables() {
    const InvertNetwork& p = parameters_;
    tables_.plan = elimination_.view();
    tables_.pair_in_use = pair_in_use_.data();
    tables_.num_in_use = static_cast<std::int32_t>(pair_in_use_.size());
    tables_.reference = p.reference.data();
    tables_.zero_is_data = p.zero_is_data;
    tables_.weight = view_of(weights_);
    tables_.weight_is_deviation = p.kind == model::ObservationKind::offset;
    tables_.mask = p.mask;
    tables_.mask_source = p.mask_source;
    tables_.mask_threshold = p.mask_threshold;
    tables_.deviation_limits = {p.mask_threshold, p.outlier_threshold};
    tables_.median = p.median.data();
    tables_.min_redundancy = p.min_redundancy;
    tables_.untested_position = elimination_.position[static_cast<std::size_t>(p.removed_date)];
    tables_.norm = p.norm;
    tables_.step_yr = step_yr_.data();
    tables_.series_position = series_position_.data();
    tables_.metres_per_unit = p.metres_per_unit;
    tables_.quality_is_residual = p.kind == model::ObservationKind::offset;
    if (tables_.quality_is_residual) tables_.skipped_quality = std::numeric_limits<float>::quiet_NaN();
  }

  void fill_covariance(const model::Covariance& wanted) {
    covariance_.weight = view_of(variances_);
    covariance_.reference_position = elimination_.position[static_cast<std::size_t>(wanted.reference_date)];
    covariance_.factor = wanted.factor;
    tables_.covariance = &covariance_;
  }

  /// The date that a series is relative to and begins with. Velocities add up from the first date, whatever was
  /// removed.
  static int series_origin(const InvertNetwork& p) { return p.norm == model::MinimumNorm::phase ? p.removed_date : 0; }

  /// Variances of observations do not depend on how the series is weighted.
  static model::Weights variances_of(const InvertNetwork& p) {
    if (!p.covariance) return {model::WeightFunction::none, 1};
    const bool known = p.kind == model::ObservationKind::offset;
    return {known ? model::WeightFunction::deviation : model::WeightFunction::variance, p.num_looks};
  }

  static model::pixel::WeightView view_of(const model::Weights& weights) {
    return {weights.function(), weights.table().data(), static_cast<double>(weights.num_looks())};
  }

  static Tally tally_of(const std::vector<PixelCounts>& counts) {
    Tally tally;
    tally.deviations.assign(model::num_invert_network_findings, 0);
    for (const PixelCounts& worker : counts) {
      for (std::size_t s = 0; s < tally.status.size(); ++s) tally.status[s] += worker.status[s];
      for (std::size_t f = 0; f < tally.deviations.size(); ++f) tally.deviations[f] += worker.finding[f];
    }
    return tally;
  }

  /// Every phase of the reference pixel is 0 after referencing, so that it looks like no data: its quality is perfect
  /// by definition.
  void set_reference_pixel(Slot& slot, const InvertNetworkPlanes& planes) const {
    if (!slot.rect.contains(parameters_.reference_row, parameters_.reference_col)) return;
    const std::int64_t at =
        (parameters_.reference_row - slot.rect.row) * slot.rect.cols + parameters_.reference_col - slot.rect.col;
    --slot.tally.status[planes.status[at]];
    ++slot.tally[PixelStatus::ok];
    planes.status[at] = static_cast<std::uint8_t>(PixelStatus::ok);
    planes.quality[at] = tables_.quality_is_residual ? 0.0F : 1.0F;
    planes.count[at] =
        static_cast<float>(parameters_.reference_count.value_or(static_cast<std::int64_t>(pair_in_use_.size())));
  }

  std::shared_ptr<const model::StepParameters> owner_;  ///< keeps parameters_ alive
  const InvertNetwork& parameters_;
  PlaneIndices planes_;
  const InvertNetworkKernel& kernel_;
  model::Elimination elimination_;
  model::Weights weights_;
  model::Weights variances_;  ///< of the observations; used for the covariance only
  std::vector<double> step_yr_;
  std::vector<std::int32_t> series_position_;
  CovarianceTables covariance_;
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
  const auto& parameters = step.as<InvertNetwork>();
  const model::Elimination elimination = model::plan_elimination(parameters.network);
  return elimination.num_bytes() + scratch_bytes(elimination.view(), parameters, *kernels.invert_network) * num_workers;
}

}  // namespace

const ProgramKind invert_network_program{"invert-network", make, bytes};

}  // namespace outcrop::cpu
