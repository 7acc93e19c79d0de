// Tests of core/view: index arithmetic, constness and, where assertions are on, bounds.
#include "core/view.hpp"

#include <doctest/doctest.h>

#include <type_traits>
#include <vector>

using outcrop::View;

TEST_CASE("the last index of a view is contiguous") {
  std::vector<float> data(24);
  const View<float, 3> view(data.data(), 2, 3, 4);
  CHECK(view.extent(0) == 2);
  CHECK(view.stride(0) == 12);
  CHECK(view.stride(1) == 4);
  CHECK(view.stride(2) == 1);
  view(1, 2, 3) = 5.0F;
  CHECK(data[23] == 5.0F);
  view(0, 1, 0) = 6.0F;
  CHECK(data[4] == 6.0F);
}

TEST_CASE("a strided view steps over the padding of its rows") {
  std::vector<int> data(2 * 64);
  const auto view = View<int, 2>::strided(data.data(), 2, 5, 64);
  view(1, 4) = 9;
  CHECK(data[68] == 9);
  CHECK(view.extent(1) == 5);
  CHECK(view.stride(0) == 64);
}

TEST_CASE("a view becomes a view of const, never the other way round") {
  std::vector<double> data{1, 2, 3};
  const View<double, 1> view(data.data(), 3);
  const View<const double, 1> read_only = view;
  CHECK(read_only(2) == 3.0);
  CHECK(read_only.data_handle() == view.data_handle());
  static_assert(!std::is_convertible_v<View<const double, 1>, View<double, 1>>);
}

TEST_CASE("a view that was never set is empty") {
  CHECK(View<float, 2>().empty());
  float value = 0;
  CHECK_FALSE(View<float, 1>(&value, 1).empty());
}

#if defined(OUTCROP_ASSERTS)
TEST_CASE("an index outside the view is caught") {
  std::vector<float> data(6);
  const View<float, 2> view(data.data(), 2, 3);
  CHECK_THROWS_AS(view(2, 0), outcrop::Error);
  CHECK_THROWS_AS(view(0, 3), outcrop::Error);
  CHECK_THROWS_AS(view(-1, 0), outcrop::Error);
}
#endif
