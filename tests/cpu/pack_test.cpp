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
#include "cpu/phasor.hpp"
#include "tests/support/tolerance.hpp"

using namespace outcrop;
using namespace outcrop::cpu::isa_test;
using Lane = Pack<double, 8>;
using Sample = Pack<float, 8>;

namespace {

/// exp(j x) for each number.
void phasor_of(const Lane& x, Lane& real, Lane& imaginary) {
  real = Lane(0.0);
  imaginary = Lane(0.0);
  add_phasor(x, Lane(1.0), real, imaginary);
}

double error_of_phasors(double low, double high) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> angle(low, high);
  double worst = 0;
  for (int i = 0; i < 50000; ++i) {
    double angles[8];
    for (double& x : angles) x = angle(random);
    Lane real;
    Lane imaginary;
    phasor_of(Lane::load(angles), real, imaginary);
    for (int lane = 0; lane < 8; ++lane) {
      worst = std::max(
          {worst, std::abs(imaginary[lane] - std::sin(angles[lane])), std::abs(real[lane] - std::cos(angles[lane]))});
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("unit phasors of a pack are good to a hundredth of a rounding to float32") {
  CHECK(error_of_phasors(-4, 4) < test::phasor);
  CHECK(error_of_phasors(-1e-3, 1e-3) < test::phasor);
  CHECK(error_of_phasors(-1e6, 1e6) < test::phasor);
  CHECK(error_of_phasors(-1e12, 1e12) < test::phasor);
}

TEST_CASE("samples are converted from memory as from a register, and stored past the caches as they are") {
  const float samples[9] = {0, -1.5F, 3.25e-12F, 7e37F, std::numeric_limits<float>::infinity(), 1e-45F, -0.0F, 42, 6};
  alignas(64) float streamed[8];
  for (const float* from : {samples, samples + 1}) {  // no matter how they are aligned
    const Lane wide = load_wide<8>(from);
    stream_narrow(wide, streamed);
    settle_streams();
    for (int i = 0; i < 8; ++i) {
      CHECK(wide[i] == static_cast<double>(from[i]));
      CHECK(wide[i] == widen(Sample::load(from))[i]);
      CHECK(streamed[i] == from[i]);
    }
  }
}

TEST_CASE("the phasor of the angle 0 is exactly 1, and an amount of 0 adds nothing") {
  Lane real(0.5);
  Lane imaginary(0.25);
  add_phasor(Lane(0.0), Lane(1.0), real, imaginary);
  CHECK(real[3] == 1.5);
  CHECK(imaginary[3] == 0.25);
  add_phasor(Lane(2.0), Lane(0.0), real, imaginary);
  CHECK(real[3] == 1.5);
  CHECK(imaginary[3] == 0.25);
}

TEST_CASE("an angle has the same phasor beside a huge one as beside small ones") {
  Lane x(0.7);
  Lane real;
  Lane imaginary;
  phasor_of(x, real, imaginary);
  set(x, 3, 1e300);
  Lane real_beside;
  Lane imaginary_beside;
  phasor_of(x, real_beside, imaginary_beside);
  for (const int lane : {0, 1, 2, 4, 5, 6, 7}) {
    CHECK(real_beside[lane] == real[0]);
    CHECK(imaginary_beside[lane] == imaginary[0]);
  }
  CHECK(imaginary_beside[3] == std::sin(1e300));
  CHECK(real_beside[3] == std::cos(1e300));
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
  const float table[] = {5, 6, 7};
  Lane index(1.999);
  set(index, 7, 0.5);
  CHECK(lookup(table, index)[0] == 6);
  CHECK(lookup(table, index)[7] == 5);
  CHECK(float_root(Lane(0.3))[4] == std::sqrt(static_cast<float>(0.3)));
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
