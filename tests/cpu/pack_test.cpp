// Packs do to each number what plain numbers do.
#define OUTCROP_ISA isa_test
#include "cpu/pack.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>

#include "cpu/pack_convert.hpp"
#include "cpu/sincos.hpp"
#include "tests/support/tolerance.hpp"

using namespace outcrop;
using namespace outcrop::cpu::isa_test;
using Lane = Pack<double, 8>;
using Sample = Pack<float, 8>;

namespace {

double error_of_sincos(double low, double high) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> angle(low, high);
  double worst = 0;
  for (int i = 0; i < 50000; ++i) {
    Lane x;
    for (int lane = 0; lane < 8; ++lane) set(x, lane, angle(random));
    Lane sine;
    Lane cosine;
    sincos(x, sine, cosine);
    for (int lane = 0; lane < 8; ++lane) {
      worst = std::max({worst, std::abs(sine[lane] - std::sin(x[lane])), std::abs(cosine[lane] - std::cos(x[lane]))});
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("sine and cosine of a pack are good to two roundings") {
  CHECK(error_of_sincos(-4, 4) < test::sine);
  CHECK(error_of_sincos(-1e-3, 1e-3) < test::sine);
  CHECK(error_of_sincos(-1e6, 1e6) < test::sine);
  CHECK(error_of_sincos(-1e12, 1e12) < test::sine);
}

TEST_CASE("an angle has the same sine beside a huge one as beside small ones") {
  Lane x(0.7);
  Lane sine;
  Lane cosine;
  sincos(x, sine, cosine);
  set(x, 3, 1e300);
  Lane sine_beside;
  Lane cosine_beside;
  sincos(x, sine_beside, cosine_beside);
  for (const int lane : {0, 1, 2, 4, 5, 6, 7}) {
    CHECK(sine_beside[lane] == sine[0]);
    CHECK(cosine_beside[lane] == cosine[0]);
  }
  CHECK(sine_beside[3] == std::sin(1e300));
}

TEST_CASE("select takes each number from its own side, and NaN compares false") {
  Lane a(1.0);
  set(a, 2, std::numeric_limits<double>::quiet_NaN());
  set(a, 5, -1.0);
  const Lane chosen = select(a > Lane(0.0), Lane(10.0), Lane(20.0));
  for (int lane = 0; lane < 8; ++lane) CHECK(chosen[lane] == (lane == 2 || lane == 5 ? 20.0 : 10.0));
  CHECK(any(a != a));
  CHECK_FALSE(any(chosen != chosen));
}

TEST_CASE("lookup truncates, and the float root is that of float32") {
  const double table[] = {5, 6, 7};
  Lane index(1.999);
  set(index, 7, 0.5);
  CHECK(lookup(table, index)[0] == 6);
  CHECK(lookup(table, index)[7] == 5);
  CHECK(float_root(Lane(0.3))[4] == static_cast<double>(std::sqrt(static_cast<float>(0.3))));
}

TEST_CASE("samples widen exactly and narrow by one rounding") {
  float stored[8] = {0.1F, 3e38F, 1, 2, 3, 4, 5, 6.5F};
  const Lane wide = widen(Sample::load(stored));
  for (int lane = 0; lane < 8; ++lane) CHECK(wide[lane] == static_cast<double>(stored[lane]));
  store_narrow(wide * Lane(1 + 1e-12), stored);
  CHECK(stored[0] == 0.1F);
  CHECK(stored[7] == 6.5F);
}

TEST_CASE("a mask holds where it was found to hold") {
  const float stored[8] = {1, -1, 0, 2, -0.0F, 5, 6, -7};
  const auto positive = Sample::load(stored) > Sample(0.0F);
  const bool expected[8] = {true, false, false, true, false, true, true, false};
  for (int lane = 0; lane < 8; ++lane) {
    CHECK(holds(positive, lane) == expected[lane]);
    CHECK(holds(~positive, lane) != expected[lane]);
  }
}
