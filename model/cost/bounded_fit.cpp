#include "model/cost/bounded_fit.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>

#include "core/check.hpp"
#include "core/error.hpp"
#include "model/cost/small_cholesky.hpp"

namespace outcrop::model {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t most_coefficients = 8;

/// Rounding of sums of squares, relative to the squared values: misfits below it are 0.
constexpr double rounding = 1e-20;

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

struct Minimum {
  Vector coefficients;
  double misfit = std::numeric_limits<double>::infinity();
};

/// The columns of unit norm.
class ScaledProblem {
 public:
  explicit ScaledProblem(const FitProblem& problem) : values_(problem.values) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] /= problem.deviations[i];
    for (Vector column : problem.columns) {
      for (std::size_t i = 0; i < column.size(); ++i) column[i] /= problem.deviations[i];
      // A column of zeros, or of numbers beyond all range, says nothing about its coefficient.
      const double norm = std::sqrt(dot(column, column));
      const bool usable = norm > 0 && std::isfinite(norm);
      for (double& x : column) x = usable ? x / norm : 0.0;
      scales_.push_back(usable ? norm : 0.0);
      columns_.push_back(std::move(column));
    }
  }

  std::size_t size() const { return columns_.size(); }
  double scale(std::size_t j) const { return scales_[j]; }
  double squared_values() const { return dot(values_, values_); }

  /// The best coefficients of which those outside `allowed` (bits) are 0, after `held` x column `j` is taken off the
  /// values.
  Minimum minimise(unsigned allowed, std::size_t j = 0, double held = 0) const {
    Vector values = values_;
    for (std::size_t i = 0; held != 0 && i < values.size(); ++i) values[i] -= held * columns_[j][i];
    // Every set of columns is tried, small ones first: with so few, the plain way is the exact one.
    Minimum best;
    const double noise = rounding * squared_values();
    for (std::size_t wanted = 0; wanted <= size(); ++wanted) {
      for (unsigned set = 0; set < (1U << size()); ++set) {
        if ((set & ~allowed) != 0 || static_cast<std::size_t>(std::popcount(set)) != wanted) continue;
        Minimum candidate = of_set(set, values);
        if (candidate.misfit < best.misfit - noise) best = std::move(candidate);
      }
    }
    return best;
  }

  Vector fitted(const Vector& coefficients) const {
    Vector sum(values_.size(), 0.0);
    for (std::size_t j = 0; j < size(); ++j) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += coefficients[j] * columns_[j][i];
    }
    return sum;
  }

 private:
  /// Least squares with the columns of the set. Infinite misfit when they depend on each other or one would count
  /// negative: another set is then as good, or better.
  Minimum of_set(unsigned set, const Vector& values) const {
    std::vector<std::size_t> members;
    for (std::size_t j = 0; j < size(); ++j) {
      if ((set >> j & 1U) != 0) members.push_back(j);
    }
    Vector matrix;
    Vector right;
    for (const std::size_t a : members) {
      for (const std::size_t b : members) matrix.push_back(dot(columns_[a], columns_[b]));
      right.push_back(dot(columns_[a], values));
    }
    const auto solution = solve_small(std::move(matrix), std::move(right));
    Minimum minimum{Vector(size(), 0.0), std::numeric_limits<double>::infinity()};
    if (!solution || std::any_of(solution->begin(), solution->end(), [](double c) { return c < 0; })) return minimum;
    for (std::size_t m = 0; m < members.size(); ++m) minimum.coefficients[members[m]] = (*solution)[m];
    const Vector sum = fitted(minimum.coefficients);
    minimum.misfit = 0;
    for (std::size_t i = 0; i < sum.size(); ++i) minimum.misfit += (values[i] - sum[i]) * (values[i] - sum[i]);
    return minimum;
  }

  Vector values_;
  Vector scales_;
  std::vector<Vector> columns_;
};

/// The end of the values between `inside` and `outside` that still keep the misfit under the limit.
double boundary(double inside, double outside, const std::function<bool(double)>& keeps) {
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (inside + outside);
    (keeps(middle) ? inside : outside) = middle;
  }
  return inside;
}

Interval profile(const ScaledProblem& scaled, std::size_t j, double best, double limit) {
  const unsigned others = ((1U << scaled.size()) - 1) & ~(1U << j);
  const auto keeps = [&](double c) { return scaled.minimise(others, j, c).misfit <= limit; };
  Interval interval;
  interval.low = keeps(0) ? 0 : boundary(best, 0, keeps);
  // No coefficient and no column is negative, so that a large one cannot be made good by others.
  double outside = std::max(best, std::sqrt(scaled.squared_values()));
  if (!(outside > 0)) outside = 1;
  while (keeps(outside)) outside *= 2;
  interval.high = boundary(best, outside, keeps);
  return interval;
}

void check(const FitProblem& problem) {
  OUTCROP_EXPECT(problem.columns.size() <= most_coefficients, "a fit has at most 8 coefficients");
  OUTCROP_EXPECT(problem.values.size() == problem.deviations.size(), "a fit has a deviation for each observation");
  for (const auto& column : problem.columns) {
    OUTCROP_EXPECT(column.size() == problem.values.size(), "a fit's column has a number for each observation");
  }
}

}  // namespace

BoundedFit fit_bounded(const FitProblem& problem) {
  check(problem);
  const ScaledProblem scaled(problem);
  const Minimum minimum = scaled.minimise((1U << scaled.size()) - 1);
  BoundedFit fit;
  const auto free = static_cast<std::int64_t>(problem.values.size()) - static_cast<std::int64_t>(scaled.size());
  fit.degrees_of_freedom = std::max<std::int64_t>(free, 0);
  fit.misfit = minimum.misfit;
  fit.fitted = scaled.fitted(minimum.coefficients);
  for (std::size_t i = 0; i < fit.fitted.size(); ++i) fit.fitted[i] *= problem.deviations[i];
  double limit = 0;
  if (free > 0) {
    const double t = student_95(free);
    limit = minimum.misfit * (1 + t * t / static_cast<double>(free)) + 1e-16 * scaled.squared_values();
  }
  for (std::size_t j = 0; j < scaled.size(); ++j) {
    FittedCoefficient coefficient;
    const double scale = scaled.scale(j);
    if (scale > 0) coefficient.value = minimum.coefficients[j] / scale;
    if (free > 0 && scale > 0) {
      const Interval interval = profile(scaled, j, minimum.coefficients[j], limit);
      coefficient.interval = {interval.low / scale, interval.high / scale};
      coefficient.determined = interval.low > 0;
    }
    fit.coefficients.push_back(coefficient);
  }
  return fit;
}

double student_95(std::int64_t degrees_of_freedom) {
  OUTCROP_EXPECT(degrees_of_freedom >= 1, "Student's t needs a degree of freedom");
  constexpr std::array<double, 10> table = {12.706205, 4.302653, 3.182446, 2.776445, 2.570582,
                                            2.446912,  2.364624, 2.306004, 2.262157, 2.228139};
  if (degrees_of_freedom <= static_cast<std::int64_t>(table.size())) {
    return table[static_cast<std::size_t>(degrees_of_freedom - 1)];
  }
  // Cornish and Fisher's expansion about the normal quantile (Abramowitz and Stegun, 26.7.5).
  constexpr double z = 1.959963985;
  constexpr double z2 = z * z;
  const double v = static_cast<double>(degrees_of_freedom);
  return z * (1 + (z2 + 1) / (4 * v) + ((5 * z2 + 16) * z2 + 3) / (96 * v * v) +
              (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * v * v * v));
}

}  // namespace outcrop::model
