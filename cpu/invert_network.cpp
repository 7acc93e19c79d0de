// The host program of invert-network: tables once, then blocks of pixels over the workers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/check.hpp"
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
  constexpr std::int64_t page_bytes = 4096;  // workers do not share a page
  const std::int64_t bytes = kernel.scratch_bytes(plan, parameters.covariance.has_value(), batched);
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/// The design matrix of velocities; owns the arrays of BatchedNetworkTables.
struct BatchedNetwork {
  std::vector<std::int32_t> earlier_date;
  std::vector<std::int32_t> later_date;
  std::vector<double> sign;
  BatchedNetworkTables tables;

  /// pair_in_use: indices of the pairs that count.
  void fill(const model::Network& network, const std::vector<std::int32_t>& pair_in_use) {
    for (const model::Pair& pair : network.pairs) {
      earlier_date.push_back(std::min(pair.first, pair.second));
      later_date.push_back(std::max(pair.first, pair.second));
      sign.push_back(pair.first < pair.second ? 1.0 : -1.0);
    }
    model::Network in_use = network;
    in_use.pairs.clear();
    for (const std::int32_t k : pair_in_use) in_use.pairs.push_back(network.pairs[static_cast<std::size_t>(k)]);
    const std::vector<int> island = model::islands(in_use);
    const bool connected = std::all_of(island.begin(), island.end(), [](int i) { return i == 0; });
    tables = {earlier_date.data(), later_date.data(), sign.data(), !connected};
  }
};

class InvertNetworkProgram final : public Program {
 public:
  InvertNetworkProgram(const model::Step& step, const SlotLayout& layout, const InvertNetworkKernel& kernel,
                       int num_workers)
      : owner_(step.parameters),
        parameters_(step.as<InvertNetwork>()),
        planes_(find_network_planes(step, layout)),
        kernel_(kernel),
        elimination_(model::plan_elimination(parameters_.network)),
        weights_(parameters_.weight, parameters_.num_looks),
        variances_(variances_of(parameters_)),
        scratch_bytes_(scratch_bytes(elimination_.view(), parameters_, kernel, step.solver == model::Solver::batched)),
        scratch_(allocate_host(scratch_bytes_ * num_workers)),
        num_workers_(num_workers) {
    for (const float years : model::date_steps_yr(parameters_.network)) step_yr_.push_back(static_cast<double>(years));
    for (std::size_t k = 0; k < parameters_.reference.size(); ++k) {
      if (std::isfinite(parameters_.reference[k])) pair_in_use_.push_back(static_cast<std::int32_t>(k));
    }
    // By edge: the kernel finishes one conductance after the other.
    std::stable_sort(pair_in_use_.begin(), pair_in_use_.end(),
                     [this](std::int32_t a, std::int32_t b) { return edge_of(a) < edge_of(b); });
    for (const int date : model::order_without(parameters_.network.num_dates(), series_origin(parameters_))) {
      series_position_.push_back(elimination_.position[static_cast<std::size_t>(date)]);
    }
    fill_tables();
    if (step.solver == model::Solver::batched) fill_batched(step, layout);
    if (parameters_.covariance) fill_covariance(*parameters_.covariance);
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
    if (solve_marked_) solve_marked_(slot, parallel);
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

  void fill_batched(const model::Step& step, const SlotLayout& layout) {
    batched_.fill(parameters_.network, pair_in_use_);
    tables_.batched = &batched_.tables;
    solve_marked_ = make_marked_solver(step, layout);
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
  NetworkPlaneIndices planes_;
  const InvertNetworkKernel& kernel_;
  model::Elimination elimination_;
  model::Weights weights_;
  model::Weights variances_;  ///< of the observations; used for the covariance only
  std::vector<double> step_yr_;
  std::vector<std::int32_t> series_position_;
  CovarianceTables covariance_;
  BatchedNetwork batched_;
  MarkedSolver solve_marked_;  ///< empty when there is nothing to look at again
  std::vector<std::int32_t> pair_in_use_;
  InvertNetworkTables tables_;
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
