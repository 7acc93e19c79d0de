// What is subtracted from each pair, and which pairs are left out.
#include "tools/outcrop/invert_network/reference_values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/error_text.hpp"
#include "tests/support/said.hpp"
#include "tests/support/stack_build.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;
using test::contains;
using test::StackBuild;
using tools::InvertFlags;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

struct Found {
  std::vector<float> values;
  std::int64_t left_out = 0;
  std::string said;
};

Found read(const StackBuild& build, const InvertFlags& flags) {
  const test::TempFolder folder;
  build.write(folder.file("ifgramStack.h5"));
  Found found;
  found.said = test::said_by([&] {
    Log log(Verbosity::quiet);
    const auto settings = tools::resolve_settings(flags, std::nullopt);
    const auto inputs = tools::read_inputs(folder.file("ifgramStack.h5"), settings, log);
    found.values = tools::read_reference(inputs, settings, {}, found.left_out, log);
  });
  return found;
}

/// Seven by seven pixels, the reference in the middle; pair 0 has 1.5 everywhere, pair 1 is 0 at the reference alone,
/// pair 2 is 0 within two pixels of it.
StackBuild with_zeros() {
  StackBuild build;
  build.rows = build.cols = 7;
  build.attributes["REF_Y"] = build.attributes["REF_X"] = "3";
  build.phases();
  auto& phase = build.images["unwrapPhase"];
  phase[49 + 24] = 0;
  for (std::size_t row = 1; row < 6; ++row) {
    for (std::size_t col = 1; col < 6; ++col) phase[98 + row * 7 + col] = col % 2 == 0 ? 0.0F : not_a_number;
  }
  phase[98 + 24] = 0;
  return build;
}

}  // namespace

TEST_CASE("a zero at the reference is a reference of zero only where data are near") {
  const Found found = read(with_zeros(), {});
  CHECK(found.values[0] == 1.5F);
  CHECK(found.values[1] == 0);
  CHECK(std::isnan(found.values[2]));
  CHECK(found.left_out == 1);
  CHECK(contains(found.said, "1 of 3 pairs are exactly 0"));
  CHECK(contains(found.said, "20200101_20200125"));
}

TEST_CASE("a zero without a component there is no data") {
  StackBuild build = with_zeros();
  build.integer_images["connectComponent"] = build.all(1);
  build.integer_images["connectComponent"][49 + 24] = 0;
  const Found found = read(build, {});
  CHECK(std::isnan(found.values[1]));
  CHECK(found.left_out == 2);
}

TEST_CASE("as in MintPy a zero at the reference is used as it is") {
  InvertFlags compat;
  compat.mintpy_compat = true;
  const Found found = read(with_zeros(), compat);
  CHECK(found.values == std::vector<float>{1.5F, 0, 0});
  CHECK(found.left_out == 0);
}

TEST_CASE("a pair whose reference is NaN or infinite is left out; when all are, the run is refused") {
  StackBuild build = with_zeros();
  build.images["unwrapPhase"][24] = std::numeric_limits<float>::infinity();
  const Found found = read(build, {});
  CHECK(std::isnan(found.values[0]));
  build.images["unwrapPhase"] = build.all(not_a_number);
  CHECK(contains(test::error_of([&] { read(build, {}); }), "no pair of"));
  InvertFlags compat;
  compat.mintpy_compat = true;
  CHECK(read(build, compat).left_out == 3);
}

TEST_CASE("zeros of offsets are data") {
  StackBuild build = StackBuild().offsets();
  build.images["rangeOffset"] = build.all(0);
  InvertFlags flags;
  flags.dataset = "rangeOffset";
  const Found found = read(build, flags);
  CHECK(found.values == std::vector<float>(3, 0.0F));
  CHECK(found.said.empty());
}

TEST_CASE("a masked reference pixel is used with a warning") {
  StackBuild build = StackBuild().phases();
  build.images["coherence"] = build.all(0.3F);
  InvertFlags flags;
  flags.mask_dataset = "coherence";
  const Found found = read(build, flags);
  CHECK(contains(found.said, "is masked by coherence in 3 of 3 pairs"));
  CHECK(found.values == std::vector<float>(3, 1.5F));
}

TEST_CASE("without referencing nothing is subtracted") {
  InvertFlags flags;
  flags.skip_reference = true;
  CHECK(read(with_zeros(), flags).values == std::vector<float>(3, 0.0F));
}
