// The shared decomposition: orthonormal, right about the rank, and the answer of least norm in the columns' own units.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "model/orthogonal_basis.hpp"
#include "tests/support/tolerance.hpp"

using namespace outcrop;
using model::OrthogonalBasis;
using Columns = std::vector<std::vector<double>>;

namespace {

/// x = W (Q' y).
std::vector<double> solve(const OrthogonalBasis& basis, const std::vector<double>& y) {
  const auto rank = static_cast<std::size_t>(basis.rank);
  std::vector<double> x(basis.determined.size(), 0.0);
  for (std::size_t j = 0; j < rank; ++j) {
    double coefficient = 0;
    for (std::size_t i = 0; i < y.size(); ++i) coefficient += basis.q[i * rank + j] * y[i];
    for (std::size_t n = 0; n < x.size(); ++n) x[n] += basis.w[n * rank + j] * coefficient;
  }
  return x;
}

void check_values(const std::vector<double>& values, const std::vector<double>& expected) {
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(values[i] - expected[i]) < test::double_arithmetic);
  }
}

Columns random_columns(std::uint64_t seed, std::size_t rows, std::size_t columns) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> number;
  Columns values(columns, std::vector<double>(rows));
  for (auto& column : values) {
    const double unit = std::pow(10.0, std::uniform_int_distribution(-3, 3)(random));
    for (double& value : column) value = unit * number(random);
  }
  return values;
}

}  // namespace

TEST_CASE("columns that determine everything give the least squares answer") {
  const OrthogonalBasis basis = model::orthogonalise({{1, 1, 1}, {0, 1, 2}}, 3);
  CHECK(basis.rank == 2);
  CHECK(basis.determined == std::vector<bool>{true, true});
  check_values(solve(basis, {1, 3, 5}), {1, 2});
  check_values(solve(basis, {0, 3, 0}), {1, 0});
}

TEST_CASE("columns that are the same share the answer, zeros get none") {
  const OrthogonalBasis basis = model::orthogonalise({{1, 1}, {1, 1}, {0, 0}, {0, 3}}, 2);
  CHECK(basis.rank == 2);
  CHECK(basis.determined == std::vector<bool>{false, false, false, true});
  check_values(solve(basis, {4, 10}), {2, 2, 0, 2});
}

TEST_CASE("the least norm is that of the unknowns in their own units, not of scaled ones") {
  // 3 x + y = 10: the smallest x, y is along (3, 1).
  check_values(solve(model::orthogonalise({{3}, {1}}, 1), {10}), {3, 1});
}

TEST_CASE("no column and no row are nothing to solve") {
  CHECK(model::orthogonalise({}, 3).rank == 0);
  const OrthogonalBasis basis = model::orthogonalise({{}, {}}, 0);
  CHECK(basis.rank == 0);
  CHECK(basis.determined == std::vector<bool>{false, false});
}

TEST_CASE("bases are orthonormal and exact answers come back, whatever the units") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    const std::size_t rows = 8 + seed % 5;
    Columns columns = random_columns(seed, rows, 6);
    if (seed % 2 == 0) columns.push_back(columns[3]);
    const OrthogonalBasis basis = model::orthogonalise(columns, static_cast<int>(rows));
    REQUIRE(basis.rank == 6);
    for (std::size_t a = 0; a < 6; ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        double product = 0;
        for (std::size_t i = 0; i < rows; ++i) product += basis.q[i * 6 + a] * basis.q[i * 6 + b];
        CHECK(std::abs(product - (a == b ? 1 : 0)) < test::double_arithmetic);
      }
    }
    std::vector<double> y(rows, 0.0);
    for (std::size_t i = 0; i < rows; ++i) y[i] = 2 * columns[0][i] - columns[3][i];
    const std::vector<double> x = solve(basis, y);
    for (std::size_t i = 0; i < rows; ++i) {
      double again = 0;
      for (std::size_t n = 0; n < columns.size(); ++n) again += columns[n][i] * x[n];
      CHECK(std::abs(again - y[i]) < 1e-9 * (1 + std::abs(y[i])));
    }
  }
}
