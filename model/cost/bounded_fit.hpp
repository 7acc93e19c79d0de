// Weighted least squares with coefficients that cannot be negative, and how well the data determine each of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace outcrop::model {

/// Minimise the sum of ((value_i - sum_j column_j[i] c_j) / deviation_i)^2 over c >= 0.
struct FitProblem {
  std::vector<std::vector<double>> columns;  ///< [coefficient][observation], none negative
  std::vector<double> values;                ///< [observation]
  std::vector<double> deviations;            ///< [observation], positive: what a unit of misfit is
};

struct Interval {
  double low = 0;
  double high = 0;
};

struct FittedCoefficient {
  double value = 0;
  std::optional<Interval> interval;  ///< 95 %; nothing when there are not more observations than coefficients
  bool determined = false;           ///< there is an interval, and it excludes 0
};

struct BoundedFit {
  std::vector<FittedCoefficient> coefficients;
  std::vector<double> fitted;           ///< [observation], in the unit of the values
  std::int64_t degrees_of_freedom = 0;  ///< observations less coefficients; not below 0
  double misfit = 0;                    ///< the minimum: squared, in units of the deviations
};

/// The intervals are those of the profile: all values of a coefficient with which the others can still bring the
/// misfit below its minimum x (1 + t^2 / degrees of freedom), t being Student's. Without bounds in reach this is the
/// usual interval; a coefficient that others can replace has a wide one.
/// Throws Errc::internal when sizes disagree or there are more than 8 coefficients.
BoundedFit fit_bounded(const FitProblem& problem);

/// The two-sided 95 % quantile of Student's t. Throws Errc::internal below 1 degree of freedom.
double student_95(std::int64_t degrees_of_freedom);

}  // namespace outcrop::model
