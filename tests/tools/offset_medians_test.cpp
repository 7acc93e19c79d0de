// Medians over the whole image, exact whatever the memory.
#include "tools/outcrop/invert_network/offset_medians.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/support/stack_build.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;
using test::StackBuild;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float threshold = 0.4F;

StackBuild random_offsets(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> offset(0, 1);
  std::uniform_real_distribution<float> deviation(0, 0.8F);
  StackBuild build;
  build.rows = 11;
  build.cols = 13;
  build.offsets();
  for (float& value : build.images["rangeOffset"]) {
    value = random() % 10 == 0 ? (random() % 2 == 0 ? 0.0F : not_a_number)
                               : offset(random) * (random() % 50 == 0 ? 1e6F : 1.0F);
  }
  for (float& value : build.images["rangeOffsetStd"]) value = random() % 10 == 0 ? not_a_number : deviation(random);
  build.images["rangeOffset"][7] = std::numeric_limits<float>::infinity();
  return build;
}

float expected_median(const StackBuild& build, std::size_t pair, float reference) {
  std::vector<float> values;
  const std::size_t pixels = build.rows * build.cols;
  for (std::size_t i = pair * pixels; i < (pair + 1) * pixels; ++i) {
    const float stored = build.images.at("rangeOffset")[i];
    const float deviation = build.images.at("rangeOffsetStd")[i];
    const float value = stored == 0 ? stored : stored - reference;
    if ((std::isnan(deviation) || deviation <= threshold) && std::isfinite(value)) values.push_back(value);
  }
  if (values.empty()) return not_a_number;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<float> medians(const StackBuild& build, const std::vector<float>& reference, std::int64_t memory_bytes) {
  const test::TempFolder folder;
  const std::string path = folder.file("ifgramStack.h5");
  build.write(path);
  Log log(Verbosity::quiet);
  const std::vector<std::int64_t> layers{0, 1, 2};
  const tools::MedianRequest request{
      {"observation", path, "rangeOffset", layers}, {"std", path, "rangeOffsetStd", layers}, reference, threshold};
  io::DecodeVolume volume;
  auto found = tools::offset_medians(request, memory_bytes, {}, volume, log);
  // Two planes of three layers, twice.
  const auto twice = static_cast<std::int64_t>(2 * 2 * 3 * build.rows * build.cols * sizeof(float));
  CHECK(volume.read == twice);
  CHECK(volume.decoded == twice);
  return found;
}

}  // namespace

TEST_CASE("medians are those of the sorted certain offsets") {
  const std::vector<float> reference{0.25F, 0, -3.5F};
  for (unsigned seed = 1; seed < 9; ++seed) {
    const StackBuild build = random_offsets(seed);
    const std::vector<float> found = medians(build, reference, std::int64_t{64} << 20);
    for (std::size_t k = 0; k < 3; ++k) {
      CAPTURE(seed);
      CAPTURE(k);
      CHECK(found[k] == expected_median(build, k, reference[k]));
    }
    CHECK(medians(build, reference, 0) == found);
    CHECK(medians(build, reference, std::int64_t{2} << 20) == found);
  }
}

TEST_CASE("a pair without a certain offset, or without a reference, has no median") {
  StackBuild build = random_offsets(3);
  for (std::size_t i = 0; i < build.rows * build.cols; ++i) build.images["rangeOffsetStd"][i] = 1;
  const std::vector<float> found = medians(build, {0, not_a_number, 0}, 0);
  CHECK(std::isnan(found[0]));
  CHECK(std::isnan(found[1]));
  CHECK(found[2] == expected_median(build, 2, 0));
}
