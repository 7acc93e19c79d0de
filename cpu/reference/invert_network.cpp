// The judge of invert-network: design matrices row by row, NaN rows dropped, minimum norm by a complete orthogonal
// decomposition.
#include "cpu/reference/invert_network.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <complex>

namespace outcrop::cpu::reference {
namespace {

using model::InvertNetwork;

/// Real singular values lie above 1e-4 of the largest, those of missing links below 1e-14.
constexpr double rank_tolerance = 1e-10;

float nan_to_zero(float value) { return std::isnan(value) ? 0.0F : value; }

bool is_kept(const InvertNetwork& p, const PixelSamples& samples, std::size_t k) {
  if (p.mask == model::MaskRule::none) return true;
  const float value = nan_to_zero(p.mask_is_coherence ? samples.coherence[k] : samples.mask[k]);
  return p.mask == model::MaskRule::nonzero ? value != 0 : value >= p.mask_threshold;
}

/// The referenced phase [rad], or nothing.
std::optional<double> observation(const InvertNetwork& p, const PixelSamples& samples, std::size_t k) {
  const float raw = samples.phase[k];
  if (raw == 0 || !std::isfinite(p.reference[k]) || !is_kept(p, samples, k)) return std::nullopt;
  const float phase = raw - p.reference[k];
  if (phase == 0 || !std::isfinite(phase)) return std::nullopt;
  return static_cast<double>(phase);
}

/// The rows of the kept observations: indices of their pairs, phases [rad], square roots of weights.
struct Rows {
  std::vector<std::size_t> pair;
  std::vector<double> phase;
  std::vector<double> root_weight;

  Eigen::Index size() const { return static_cast<Eigen::Index>(pair.size()); }
};

Rows usable_rows(const InvertNetwork& p, const PixelSamples& samples) {
  const model::Weights weights(p.weight, p.num_looks);
  Rows rows;
  for (std::size_t k = 0; k < p.network.pairs.size(); ++k) {
    const std::optional<double> phase = observation(p, samples, k);
    if (!phase) continue;
    rows.pair.push_back(k);
    rows.phase.push_back(*phase);
    rows.root_weight.push_back(p.weight == model::WeightFunction::none ? 1 : std::sqrt(weights(samples.coherence[k])));
  }
  return rows;
}

/// [m, D]: -1 at the first date, +1 at the second.
Eigen::MatrixXd incidence(const InvertNetwork& p, const Rows& rows) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(rows.size(), p.network.num_dates());
  for (Eigen::Index i = 0; i < rows.size(); ++i) {
    const model::Pair& pair = p.network.pairs[rows.pair[static_cast<std::size_t>(i)]];
    a(i, pair.first) -= 1;
    a(i, pair.second) += 1;
  }
  return a;
}

/// [D, D - 1] unknowns to phases of the dates: running sums of velocities, or the phases themselves after a first 0.
Eigen::MatrixXd series_of_unknowns(const InvertNetwork& p) {
  const Eigen::Index num_dates = p.network.num_dates();
  const std::vector<float> steps = model::date_steps_yr(p.network);
  Eigen::MatrixXd s = Eigen::MatrixXd::Zero(num_dates, num_dates - 1);
  for (Eigen::Index date = 1; date < num_dates; ++date) {
    if (p.norm == model::MinimumNorm::phase) s(date, date - 1) = 1;
    for (Eigen::Index k = 0; k < date && p.norm == model::MinimumNorm::velocity; ++k) {
      s(date, k) = static_cast<double>(steps[static_cast<std::size_t>(k)]);
    }
  }
  return s;
}

bool has_redundancy(const InvertNetwork& p, const Eigen::MatrixXd& a) {
  for (Eigen::Index date = 1; date < a.cols(); ++date) {
    if (static_cast<double>((a.col(date).array() != 0).count()) < p.min_redundancy) return false;
  }
  return true;
}

double coherence_of(const Eigen::VectorXd& residual) {
  std::complex<double> sum = 0;
  for (const double e : residual) sum += std::polar(1.0, e);
  return std::abs(sum) / static_cast<double>(residual.size());
}

PixelAnswer skipped(const InvertNetwork& p, PixelStatus status) {
  PixelAnswer answer;
  answer.timeseries_m.assign(p.network.dates.size(), 0.0);
  answer.status = status;
  return answer;
}

PixelAnswer solve(const InvertNetwork& p, const Rows& rows, const Eigen::MatrixXd& a) {
  const Eigen::MatrixXd series = series_of_unknowns(p);
  const Eigen::MatrixXd g = a * series;
  const auto y = Eigen::Map<const Eigen::VectorXd>(rows.phase.data(), rows.size());
  const auto s = Eigen::Map<const Eigen::VectorXd>(rows.root_weight.data(), rows.size());
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(rank_tolerance);
  decomposition.compute(s.asDiagonal() * g);
  const Eigen::VectorXd x = decomposition.solve(s.cwiseProduct(y));
  const Eigen::VectorXd phases = series * x;
  PixelAnswer answer;
  for (const double phase : phases) answer.timeseries_m.push_back(phase * p.metres_per_radian);
  answer.temporal_coherence = coherence_of(y - g * x);
  answer.count = rows.size();
  answer.rank = decomposition.rank();
  answer.status = answer.rank < g.cols() ? PixelStatus::min_norm : PixelStatus::ok;
  return answer;
}

}  // namespace

PixelAnswer invert_network(const InvertNetwork& p, const PixelSamples& samples) {
  const bool masked =
      (samples.water_mask && *samples.water_mask == 0) || (samples.quality_mask && *samples.quality_mask == 0);
  if (masked) return skipped(p, PixelStatus::masked);
  const Rows rows = usable_rows(p, samples);
  if (rows.size() == 0) return skipped(p, PixelStatus::no_data);
  const Eigen::MatrixXd a = incidence(p, rows);
  if (!has_redundancy(p, a)) return skipped(p, PixelStatus::too_few);
  return solve(p, rows, a);
}

}  // namespace outcrop::cpu::reference
