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

float referenced(const InvertNetwork& p, const PixelSamples& samples, std::size_t k) {
  const float raw = samples.observation[k];
  return raw == 0 ? raw : raw - p.reference[k];
}

bool is_kept(const InvertNetwork& p, const PixelSamples& samples, std::size_t k) {
  if (p.mask == model::MaskRule::none) return true;
  const auto& plane = p.mask_source == model::MaskSource::coherence   ? samples.coherence
                      : p.mask_source == model::MaskSource::deviation ? samples.deviation
                                                                      : samples.mask;
  const float value = nan_to_zero(plane[k]);
  if (p.mask == model::MaskRule::nonzero) return value != 0;
  if (p.mask == model::MaskRule::at_least) return value >= p.mask_threshold;
  const float distance = std::abs(referenced(p, samples, k) - p.median[k]) / (value + 1e-5F);
  return value <= p.mask_threshold || (value <= p.outlier_threshold && distance >= 10);
}

/// The referenced observation, or nothing.
std::optional<double> observation(const InvertNetwork& p, const PixelSamples& samples, std::size_t k) {
  if (!std::isfinite(p.reference[k]) || !is_kept(p, samples, k)) return std::nullopt;
  const float value = referenced(p, samples, k);
  if ((value == 0 && !p.zero_is_data) || !std::isfinite(value)) return std::nullopt;
  return static_cast<double>(value);
}

double root_weight(const InvertNetwork& p, const model::Weights& weights, const PixelSamples& samples, std::size_t k) {
  if (weights.function() == model::WeightFunction::none) return 1;
  return std::sqrt(weights((p.kind == model::ObservationKind::offset ? samples.deviation : samples.coherence)[k]));
}

/// The rows of the kept observations: indices of their pairs, values, square roots of weights.
struct Rows {
  std::vector<std::size_t> pair;
  std::vector<double> value;
  std::vector<double> root_weight;

  Eigen::Index size() const { return static_cast<Eigen::Index>(pair.size()); }
};

Rows usable_rows(const InvertNetwork& p, const PixelSamples& samples, const model::Weights& weights) {
  Rows rows;
  for (std::size_t k = 0; k < p.network.pairs.size(); ++k) {
    const std::optional<double> value = observation(p, samples, k);
    if (!value) continue;
    rows.pair.push_back(k);
    rows.value.push_back(*value);
    rows.root_weight.push_back(root_weight(p, weights, samples, k));
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

/// [D, D - 1] unknowns to the series: running sums of velocities, or values of the dates but one, which is 0.
Eigen::MatrixXd series_of_unknowns(const InvertNetwork& p) {
  const Eigen::Index num_dates = p.network.num_dates();
  const std::vector<float> steps = model::date_steps_yr(p.network);
  Eigen::MatrixXd s = Eigen::MatrixXd::Zero(num_dates, num_dates - 1);
  for (Eigen::Index date = 0; date < num_dates; ++date) {
    if (p.norm == model::MinimumNorm::phase && date != p.removed_date) s(date, date - (date > p.removed_date)) = 1;
    for (Eigen::Index k = 0; k < date && p.norm == model::MinimumNorm::velocity; ++k) {
      s(date, k) = static_cast<double>(steps[static_cast<std::size_t>(k)]);
    }
  }
  return s;
}

bool has_redundancy(const InvertNetwork& p, const Eigen::MatrixXd& a, int untested) {
  for (Eigen::Index date = 0; date < a.cols(); ++date) {
    if (date == untested) continue;
    if (static_cast<double>((a.col(date).array() != 0).count()) < p.min_redundancy) return false;
  }
  return true;
}

double coherence_of(const Eigen::VectorXd& residual) {
  std::complex<double> sum = 0;
  for (const double e : residual) sum += std::polar(1.0, e);
  return std::abs(sum) / static_cast<double>(residual.size());
}

bool is_offset(const InvertNetwork& p) { return p.kind == model::ObservationKind::offset; }

/// NaN for the residual of an unweighted solve that is rank-deficient or not overdetermined.
double quality_of(const InvertNetwork& p, const Eigen::VectorXd& residual, Eigen::Index rank) {
  if (!is_offset(p)) return coherence_of(residual);
  const Eigen::Index unknowns = p.network.num_dates() - 1;
  const bool known = p.weight != model::WeightFunction::none || (rank == unknowns && residual.size() > unknowns);
  return known ? residual.norm() : std::nan("");
}

PixelAnswer skipped(const InvertNetwork& p, PixelStatus status) {
  PixelAnswer answer;
  answer.timeseries_m.assign(p.network.dates.size(), 0.0);
  if (is_offset(p)) answer.quality = std::nan("");
  answer.status = status;
  return answer;
}

PixelAnswer solve(const InvertNetwork& p, const Rows& rows, const Eigen::MatrixXd& a) {
  const Eigen::MatrixXd series = series_of_unknowns(p);
  const Eigen::MatrixXd g = a * series;
  const auto y = Eigen::Map<const Eigen::VectorXd>(rows.value.data(), rows.size());
  const auto s = Eigen::Map<const Eigen::VectorXd>(rows.root_weight.data(), rows.size());
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(rank_tolerance);
  decomposition.compute(s.asDiagonal() * g);
  const Eigen::VectorXd x = decomposition.solve(s.cwiseProduct(y));
  const Eigen::VectorXd values = series * x;
  PixelAnswer answer;
  const int origin = p.norm == model::MinimumNorm::phase ? p.removed_date : 0;
  for (const int date : model::order_without(p.network.num_dates(), origin)) {
    answer.timeseries_m.push_back(values(date) * p.metres_per_unit);
  }
  answer.count = rows.size();
  answer.rank = decomposition.rank();
  answer.quality = quality_of(p, y - g * x, answer.rank);
  answer.status = answer.rank < g.cols() ? PixelStatus::min_norm : PixelStatus::ok;
  return answer;
}

bool is_masked(const PixelSamples& samples) {
  return (samples.water_mask && *samples.water_mask == 0) || (samples.quality_mask && *samples.quality_mask == 0);
}

}  // namespace

PixelAnswer invert_network(const InvertNetwork& p, const PixelSamples& samples) {
  return invert_network(p, model::Weights(p.weight, p.num_looks), samples);
}

PixelAnswer invert_network(const InvertNetwork& p, const model::Weights& weights, const PixelSamples& samples) {
  if (is_masked(samples)) return skipped(p, PixelStatus::masked);
  const Rows rows = usable_rows(p, samples, weights);
  if (rows.size() == 0) return skipped(p, PixelStatus::no_data);
  const Eigen::MatrixXd a = incidence(p, rows);
  if (!has_redundancy(p, a, p.removed_date)) return skipped(p, PixelStatus::too_few);
  return solve(p, rows, a);
}

std::vector<double> covariance(const InvertNetwork& p, const PixelSamples& samples) {
  const Eigen::Index num_dates = p.network.num_dates();
  std::vector<double> all(static_cast<std::size_t>(num_dates * num_dates), 0.0);
  const auto function = is_offset(p) ? model::WeightFunction::deviation : model::WeightFunction::variance;
  const Rows rows = usable_rows(p, samples, model::Weights(function, p.num_looks));
  const Eigen::MatrixXd a = incidence(p, rows);
  const int reference = p.covariance->reference_date;
  if (is_masked(samples) || rows.size() == 0 || !has_redundancy(p, a, reference)) return all;
  Eigen::MatrixXd selected = Eigen::MatrixXd::Identity(num_dates, num_dates);
  selected(reference, reference) = 0;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(rank_tolerance);
  decomposition.compute(a * selected);
  const auto s = Eigen::Map<const Eigen::VectorXd>(rows.root_weight.data(), rows.size());
  const Eigen::MatrixXd spread = decomposition.pseudoInverse() * s.cwiseInverse().asDiagonal();
  Eigen::Map<Eigen::MatrixXd>(all.data(), num_dates, num_dates) = p.covariance->factor * spread * spread.transpose();
  return all;
}

}  // namespace outcrop::cpu::reference
