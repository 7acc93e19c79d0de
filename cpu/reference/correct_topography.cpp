// The judge of correct-topography: the design matrix as it is written in books, its rank by a complete orthogonal
// decomposition of unit columns, the answer of least norm by another one in the columns' own units.
#include "cpu/reference/correct_topography.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/dates.hpp"

namespace outcrop::cpu::reference {
namespace {

using Eigen::Index;
using model::CorrectTopography;

constexpr double rank_tolerance = 1e-10;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

bool is_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

bool is_empty(const CorrectTopography& p, const std::vector<float>& series) {
  float sum = 0;
  for (const float value : series) sum += value;
  const bool all_zero = std::all_of(series.begin(), series.end(), [](float value) { return value == 0; });
  return all_zero || (p.empty_by_mean && sum == 0);
}

PixelStatus judge(const CorrectTopography& p, const TopographyPixel& pixel) {
  if (p.has_quality_mask && pixel.quality == 0) return PixelStatus::masked;
  if (!is_finite(pixel.series_m) || !is_finite(pixel.bperp_m)) return PixelStatus::no_data;
  if (is_empty(p, pixel.series_m)) return PixelStatus::no_data;
  const bool good = std::isfinite(pixel.incidence_deg) && pixel.incidence_deg != 0 &&
                    std::isfinite(pixel.slant_range_m) && pixel.slant_range_m != 0;
  return good ? PixelStatus::ok : PixelStatus::bad_geometry;
}

/// [D, 1 + n] geometry and shared columns at all dates.
Eigen::MatrixXd design(const CorrectTopography& p, const TopographyPixel& pixel) {
  const Index num_dates = p.num_dates();
  std::vector<const model::DesignColumn*> columns;
  for (const auto& column : p.columns) {
    if (!p.phase_velocity || column.name != "constant") columns.push_back(&column);
  }
  Eigen::MatrixXd g(num_dates, 1 + static_cast<Index>(columns.size()));
  const double lever = pixel.slant_range_m * std::sin(pixel.incidence_deg * std::numbers::pi / 180);
  const auto baseline = [&](Index d) {
    return pixel.bperp_m.empty() ? p.bperp_m[at(d)] : static_cast<double>(pixel.bperp_m[at(d)]);
  };
  for (Index d = 0; d < num_dates; ++d) {
    g(d, 0) = (baseline(d) - baseline(p.reference_date)) / lever;
    for (std::size_t n = 0; n < columns.size(); ++n) g(d, 1 + static_cast<Index>(n)) = columns[n]->value[at(d)];
  }
  return g;
}

/// [rows, D] dates to the rows of the fit.
Eigen::MatrixXd rows_of_dates(const CorrectTopography& p) {
  std::vector<Index> used;
  for (Index d = 0; d < p.num_dates(); ++d) {
    if (!p.excluded[at(d)]) used.push_back(d);
  }
  const auto num_used = static_cast<Index>(used.size());
  if (!p.phase_velocity) {
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(num_used, p.num_dates());
    for (Index i = 0; i < num_used; ++i) rows(i, used[at(i)]) = 1;
    return rows;
  }
  const auto year = [&](Index d) {
    const double days = model::parse_date(p.dates[at(d)]) - model::parse_date(p.dates[at(p.reference_date)]);
    return static_cast<double>(static_cast<float>(days) / 365.25F);
  };
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(std::max<Index>(num_used - 1, 0), p.num_dates());
  for (Index i = 0; i + 1 < num_used; ++i) {
    const double step_yr = year(used[at(i + 1)]) - year(used[at(i)]);
    rows(i, used[at(i + 1)]) = 1 / step_yr;
    rows(i, used[at(i)]) = -1 / step_yr;
  }
  return rows;
}

struct Solution {
  Eigen::VectorXd x;
  bool full_rank = true;
};

Solution solve(const Eigen::MatrixXd& g, const Eigen::VectorXd& y) {
  Eigen::MatrixXd unit = g;
  for (Index j = 0; j < g.cols(); ++j) {
    if (g.col(j).norm() > 0) unit.col(j).normalize();
  }
  if (g.rows() == 0) return {Eigen::VectorXd::Zero(g.cols()), false};
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(rank_tolerance);
  decomposition.compute(unit);
  const Index rank = decomposition.rank();
  const Eigen::MatrixXd range =
      Eigen::MatrixXd(decomposition.householderQ() * Eigen::MatrixXd::Identity(g.rows(), g.rows())).leftCols(rank);
  if (rank == 0) return {Eigen::VectorXd::Zero(g.cols()), false};
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least_norm;
  least_norm.setThreshold(0);
  least_norm.compute(range.transpose() * g);
  return {least_norm.solve(range.transpose() * y), rank == g.cols()};
}

}  // namespace

TopographyAnswer correct_topography(const CorrectTopography& p, const TopographyPixel& pixel) {
  TopographyAnswer answer;
  answer.corrected_m.assign(p.dates.size(), 0.0);
  answer.residual_m.assign(p.dates.size(), 0.0);
  answer.status = judge(p, pixel);
  if (answer.status != PixelStatus::ok) return answer;
  const Eigen::MatrixXd g = design(p, pixel);
  const Eigen::MatrixXd rows = rows_of_dates(p);
  const Eigen::VectorXd series = Eigen::Map<const Eigen::VectorXf>(pixel.series_m.data(), p.num_dates()).cast<double>();
  const Solution solution = solve(rows * g, rows * series);
  if (!solution.full_rank) answer.status = PixelStatus::min_norm;
  answer.dem_error_m = solution.x(0);
  const Eigen::VectorXd corrected = series - g.col(0) * solution.x(0);
  const Eigen::VectorXd residual = series - g * solution.x;
  answer.corrected_m.assign(corrected.begin(), corrected.end());
  answer.residual_m.assign(residual.begin(), residual.end());
  return answer;
}

}  // namespace outcrop::cpu::reference
