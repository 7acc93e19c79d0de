// Least squares with coefficients that cannot be negative: solutions, intervals, and data that determine nothing.
#include "model/cost/bounded_fit.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "model/cost/small_cholesky.hpp"

using namespace outcrop::model;

namespace {

FitProblem problem_of(std::vector<std::vector<double>> columns, std::vector<double> values) {
  const std::vector<double> deviations(values.size(), 1.0);
  return {std::move(columns), std::move(values), deviations};
}

}  // namespace

TEST_CASE("a small system is solved, and a dependent one is not") {
  const auto x = solve_small({4, 2, 2, 3}, {10, 9});
  REQUIRE(x);
  CHECK((*x)[0] == doctest::Approx(1.5));
  CHECK((*x)[1] == doctest::Approx(2));
  CHECK_FALSE(solve_small({1, 1, 1, 1}, {1, 1}).has_value());
  CHECK_FALSE(solve_small({std::nan("")}, {1}).has_value());
  CHECK(solve_small({}, {})->empty());
}

TEST_CASE("Student's quantiles are those of the tables") {
  CHECK(student_95(1) == doctest::Approx(12.706).epsilon(1e-4));
  CHECK(student_95(10) == doctest::Approx(2.228).epsilon(1e-3));
  CHECK(student_95(11) == doctest::Approx(2.20099).epsilon(1e-4));
  CHECK(student_95(30) == doctest::Approx(2.04227).epsilon(1e-4));
  CHECK(student_95(1000000) == doctest::Approx(1.95997).epsilon(1e-4));
}

TEST_CASE("exact data give the coefficients back, each determined to rounding") {
  const auto fit = fit_bounded(problem_of({{1, 1, 1, 1}, {1, 2, 3, 4}}, {5, 7, 9, 11}));
  CHECK(fit.degrees_of_freedom == 2);
  CHECK(fit.coefficients[0].value == doctest::Approx(3));
  CHECK(fit.coefficients[1].value == doctest::Approx(2));
  for (const auto& c : fit.coefficients) {
    CHECK(c.determined);
    CHECK(c.interval->high - c.interval->low < 1e-6);
  }
}

TEST_CASE("without bounds in reach the interval is the textbook's") {
  // Mean of 1, 2, 3: 2 +- t(2) s / sqrt(3), s = 1.
  const auto fit = fit_bounded(problem_of({{1, 1, 1}}, {1, 2, 3}));
  CHECK(fit.coefficients[0].value == doctest::Approx(2));
  const double half = 4.3027 / std::sqrt(3.0);
  CHECK(fit.coefficients[0].interval->high == doctest::Approx(2 + half));
  CHECK(fit.coefficients[0].interval->low == 0);  // 2 - 2.48 is cut at the bound
  CHECK_FALSE(fit.coefficients[0].determined);
  const auto far = fit_bounded(problem_of({{1, 1, 1}}, {11, 12, 13}));
  CHECK(far.coefficients[0].interval->low == doctest::Approx(12 - half));
  CHECK(far.coefficients[0].determined);
}

TEST_CASE("a coefficient that would be negative is 0, and the others are fitted without it") {
  const auto fit = fit_bounded(problem_of({{1, 1, 1}, {1, 2, 3}}, {3, 2, 1}));
  CHECK(fit.coefficients[1].value == 0);
  CHECK(fit.coefficients[0].value == doctest::Approx(2));
  CHECK(fit.coefficients[1].interval->low == 0);
}

TEST_CASE("columns that stand for each other leave both undetermined") {
  const auto fit = fit_bounded(problem_of({{1, 2, 3, 4}, {2, 4, 6, 8}, {1, 1, 1, 1}}, {4, 7, 10, 13}));
  CHECK(fit.coefficients[2].value == doctest::Approx(1));
  CHECK(fit.coefficients[2].determined);
  CHECK_FALSE(fit.coefficients[0].determined);
  CHECK_FALSE(fit.coefficients[1].determined);
  CHECK(fit.coefficients[0].interval->low == 0);
  CHECK(fit.coefficients[0].interval->high == doctest::Approx(3));
  CHECK(fit.coefficients[1].interval->high == doctest::Approx(1.5));
}

TEST_CASE("no more observations than coefficients: no interval, nothing determined") {
  const auto fit = fit_bounded(problem_of({{1, 1}, {1, 2}}, {5, 7}));
  CHECK(fit.degrees_of_freedom == 0);
  CHECK(fit.coefficients[0].value == doctest::Approx(3));
  for (const auto& c : fit.coefficients) {
    CHECK_FALSE(c.interval.has_value());
    CHECK_FALSE(c.determined);
  }
  CHECK(fit_bounded(problem_of({{1}, {2}, {3}, {4}, {5}}, {1})).degrees_of_freedom == 0);
}

TEST_CASE("a column of zeros, and values of zeros, come to an end") {
  const auto fit = fit_bounded(problem_of({{0, 0, 0}, {1, 1, 1}}, {2, 2, 2}));
  CHECK(fit.coefficients[1].value == doctest::Approx(2));
  CHECK_FALSE(fit.coefficients[0].interval.has_value());
  CHECK(fit_bounded(problem_of({{1, 1, 1}}, {0, 0, 0})).coefficients[0].value == 0);
}

TEST_CASE("deviations weight the observations") {
  FitProblem problem = problem_of({{1, 1}}, {1, 3});
  problem.deviations = {1, 1e3};
  CHECK(fit_bounded(problem).coefficients[0].value == doctest::Approx(1).epsilon(1e-5));
}

TEST_CASE("columns of very different size are solved alike") {
  const auto fit = fit_bounded(problem_of({{1e12, 1e12, 1e12}, {1e-12, 2e-12, 4e-12}}, {3, 4, 6}));
  CHECK(fit.coefficients[0].value == doctest::Approx(2e-12));
  CHECK(fit.coefficients[1].value == doctest::Approx(1e12));
}
