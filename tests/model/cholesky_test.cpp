// Normal equations and Cholesky's factor of one pixel, by hand.
#include "model/pixel/cholesky.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace outcrop;
namespace pixel = model::pixel;

namespace {

/// One pixel's working memory: G row after row, and y.
struct Fit {
  std::int32_t num_rows;
  std::int32_t size;
  std::vector<double> design, observed, normal, x;
  double num_weak = 0;

  Fit(std::vector<double> g, std::vector<double> y)
      : num_rows(static_cast<std::int32_t>(y.size())),
        size(static_cast<std::int32_t>(g.size() / y.size())),
        design(std::move(g)),
        observed(std::move(y)),
        normal(static_cast<std::size_t>(std::int64_t{size} * size), 0.0),
        x(static_cast<std::size_t>(size), 0.0) {
    add(0, num_rows);
  }

  void add(std::int32_t begin, std::int32_t count) {
    pixel::add_normal_matrix(count, size, design.data() + begin * size, normal.data());
    pixel::add_normal_side(count, size, design.data() + begin * size, observed.data() + begin, x.data());
  }

  void solve() {
    num_weak = pixel::cholesky_factor(size, normal.data());
    pixel::cholesky_solve(size, normal.data(), x.data());
  }

  double lower(int row, int col) const { return normal[static_cast<std::size_t>(std::int64_t{col} * size + row)]; }
};

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("the normal equations are the products of the columns") {
  const Fit fit({1, 2, 3,  //
                 4, 5, 6},
                {10, 100});
  CHECK(fit.lower(0, 0) == 17);
  CHECK(fit.lower(1, 0) == 22);
  CHECK(fit.lower(2, 0) == 27);
  CHECK(fit.lower(1, 1) == 29);
  CHECK(fit.lower(2, 1) == 36);
  CHECK(fit.lower(2, 2) == 45);
  CHECK(fit.x == std::vector<double>{410, 520, 630});
}

TEST_CASE("rows can be added in pieces") {
  const std::vector<double> g{1, 2, 3, 4, 5, 6, 7, 9};
  const std::vector<double> y{1, 0, 2, 3};
  const Fit whole(g, y);
  Fit pieces(g, y);
  pieces.normal.assign(4, 0.0);
  pieces.x.assign(2, 0.0);
  pieces.add(0, 1);
  pieces.add(1, 3);
  CHECK(pieces.lower(1, 0) == whole.lower(1, 0));
  CHECK(pieces.lower(1, 1) == whole.lower(1, 1));
  CHECK(pieces.x == whole.x);
}

TEST_CASE("a matrix of known factor is factored and solved") {
  // L = [2 0 0; 1 3 0; -1 2 1], N = L L', x = (1, 2, 3).
  Fit fit({1}, {0});
  fit.size = 3;
  fit.normal = {4, 2, -2, 0, 10, 5, 0, 0, 6};
  fit.x = {2, 37, 26};
  fit.solve();
  CHECK(fit.num_weak == 0);
  CHECK(fit.lower(0, 0) == 2);
  CHECK(fit.lower(1, 0) == 1);
  CHECK(fit.lower(2, 0) == -1);
  CHECK(fit.lower(1, 1) == 3);
  CHECK(fit.lower(2, 1) == doctest::Approx(2));
  CHECK(fit.lower(2, 2) == doctest::Approx(1));
  CHECK(fit.x[0] == doctest::Approx(1));
  CHECK(fit.x[1] == doctest::Approx(2));
  CHECK(fit.x[2] == doctest::Approx(3));
}

TEST_CASE("a line through four points is the one of least squares") {
  Fit fit({1, 0, 1, 1, 1, 2, 1, 3}, {1, 3, 4, 8});
  fit.solve();
  CHECK(fit.num_weak == 0);
  CHECK(fit.x[0] == doctest::Approx(0.7));
  CHECK(fit.x[1] == doctest::Approx(2.2));
}

TEST_CASE("units of columns and of rows do not make a pixel deficient") {
  Fit fit({1e-9, 0, 1e-9, 1e6, 1e-9, 2e6, 1e-9, 3e6}, {1, 3, 4, 8});
  fit.solve();
  CHECK(fit.num_weak == 0);
  CHECK(fit.x[0] == doctest::Approx(0.7e9));
  CHECK(fit.x[1] == doctest::Approx(2.2e-6));
}

TEST_CASE("dependent columns, columns of zeros and too few rows are counted, and leave finite numbers") {
  Fit twice({1, 2, 0, 2, 4, 1, 3, 6, 5}, {1, 2, 4});
  twice.solve();
  CHECK(twice.num_weak == 1);
  Fit zero({1, 0, 2, 0}, {1, 2});
  zero.solve();
  CHECK(zero.num_weak == 1);
  Fit one_row({1, 2, 3, 4}, {5});
  one_row.solve();
  CHECK(one_row.num_weak == 3);
  for (const auto* fit : {&twice, &zero, &one_row}) {
    for (const double value : fit->x) CHECK(std::isfinite(value));
  }
}

TEST_CASE("a column is weak up to the tolerance and strong beyond it") {
  // The second column leaves the first by an angle whose squared sine is the pivot.
  for (const double factor : {0.5, 0.99, 1.01, 2.0}) {
    const double sine = std::sqrt(factor * pixel::weakest_pivot);
    Fit fit({1, std::sqrt(1 - sine * sine), 0, sine}, {1, 1});
    fit.solve();
    CHECK(fit.num_weak == (factor > 1 ? 0 : 1));
  }
}

TEST_CASE("NaN is weak") {
  Fit fit({1, not_a_number, 0, 1}, {1, 1});
  fit.solve();
  CHECK(fit.num_weak == 1);
}
