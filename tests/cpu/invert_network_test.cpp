// invert-network on small stacks whose answers are known by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

#include "tests/support/backend_under_test.hpp"
#include "tests/support/network_run.hpp"
#include "tests/support/tolerance.hpp"

using namespace outcrop;
using model::InvertNetwork;
using model::WeightFunction;
using test::NetworkResult;
using test::NetworkScene;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
const std::vector<float> reference_phase{0.7F, -0.3F, 2.2F, 1.1F, -0.9F, 0.4F, 5.0F};
const std::vector<double> signal{0, 1, -2, 0.5, 3};
const std::vector<double> signal_m{0, -1, 2, -0.5, -3};

/// Five dates and seven pairs of near neighbours; metres are minus radians. The reference pixel is the first one.
InvertNetwork small_stack() {
  InvertNetwork p;
  const char* d[] = {"20200101", "20200113", "20200125", "20200206", "20200218"};
  p.network = model::make_network(
      {{d[0], d[1]}, {d[1], d[2]}, {d[2], d[3]}, {d[3], d[4]}, {d[0], d[2]}, {d[1], d[3]}, {d[2], d[4]}});
  p.reference = reference_phase;
  p.num_looks = 5;
  p.metres_per_unit = -1;
  return p;
}

/// Three dates, all three pairs.
InvertNetwork triplet() {
  InvertNetwork p;
  p.network = model::make_network({{"20200101", "20200113"}, {"20200113", "20200125"}, {"20200101", "20200125"}});
  p.reference = {0, 0, 0};
  p.num_looks = 10;
  p.metres_per_unit = -1;
  return p;
}

/// Stored phases of a history of the dates [rad]: differences of the pairs, and the constants of the pairs.
std::vector<float> stored(const InvertNetwork& p, const std::vector<double>& history) {
  std::vector<float> phase;
  for (std::size_t k = 0; k < p.network.pairs.size(); ++k) {
    const model::Pair& pair = p.network.pairs[k];
    phase.push_back(static_cast<float>(history[static_cast<std::size_t>(pair.second)] -
                                       history[static_cast<std::size_t>(pair.first)]) +
                    p.reference[k]);
  }
  return phase;
}

/// A scene of one row from its pixels' samples [M]; coherence 0.8.
NetworkScene scene_of(const std::vector<std::vector<float>>& pixels) {
  NetworkScene scene;
  scene.cols = static_cast<std::int64_t>(pixels.size());
  for (std::size_t k = 0; k < pixels[0].size(); ++k) {
    for (const auto& samples : pixels) scene.observation.push_back(samples[k]);
  }
  scene.coherence.assign(scene.observation.size(), 0.8F);
  return scene;
}

NetworkResult run(const InvertNetwork& p, const NetworkScene& scene) {
  const SerialFor serial;
  return test::run_network(*test::backend_under_test(serial), p, scene, scene.rows, scene.cols);
}

/// The series of a pixel [m].
void check_series(const NetworkResult& result, std::size_t px, const std::vector<double>& expected) {
  CAPTURE(px);
  const std::size_t pixels = result.count.size();
  REQUIRE(result.timeseries.size() == pixels * expected.size());
  for (std::size_t n = 0; n < expected.size(); ++n) {
    CAPTURE(n);
    CHECK(std::abs(static_cast<double>(result.timeseries[n * pixels + px]) - expected[n]) < test::six_decimals);
  }
}

void check_pixel(const NetworkResult& result, std::size_t px, const std::vector<double>& series, double coherence,
                 float count, PixelStatus status) {
  check_series(result, px, series);
  CHECK(std::abs(static_cast<double>(result.quality[px]) - coherence) < test::six_decimals);
  CHECK(result.count[px] == count);
  CHECK(result.status[px] == static_cast<std::uint8_t>(status));
}

const std::vector<double> nothing(5, 0.0);

}  // namespace

TEST_CASE("zero is no data, also the zero that referencing makes") {
  InvertNetwork p = small_stack();
  p.has_reference_pixel = true;
  const auto like_reference = stored(p, {0, 0, 1, 2, 4});
  const NetworkResult result = run(
      p, scene_of({reference_phase, stored(p, signal), like_reference, reference_phase, std::vector<float>(7, 0.0F)}));
  check_pixel(result, 0, nothing, 1, 7, PixelStatus::ok);
  check_pixel(result, 1, signal_m, 1, 7, PixelStatus::ok);
  check_pixel(result, 2, {0, 0, -1, -2, -4}, 1, 6, PixelStatus::ok);
  check_pixel(result, 3, nothing, 0, 0, PixelStatus::no_data);
  check_pixel(result, 4, nothing, 0, 0, PixelStatus::no_data);
  CHECK(result.tally[PixelStatus::ok] == 3);
  CHECK(result.tally[PixelStatus::no_data] == 2);
}

TEST_CASE("a pixel that loses a date is left out, one that keeps enough is solved") {
  InvertNetwork p = small_stack();
  auto unseen = stored(p, signal);
  unseen[3] = unseen[6] = 0;
  auto thin = stored(p, signal);
  thin[6] = 0;
  const NetworkScene scene = scene_of({unseen, thin});
  const NetworkResult once = run(p, scene);
  check_pixel(once, 0, nothing, 0, 0, PixelStatus::too_few);
  check_pixel(once, 1, signal_m, 1, 6, PixelStatus::ok);
  p.min_redundancy = 2;
  check_pixel(run(p, scene), 1, nothing, 0, 0, PixelStatus::too_few);
  p.min_redundancy = 1.5;
  check_pixel(run(p, scene), 1, nothing, 0, 0, PixelStatus::too_few);
  p.min_redundancy = 0;
  const NetworkResult none = run(p, scene);  // the date without any pair keeps the velocity 0
  check_pixel(none, 0, {0, -1, 2, -0.5, -0.5}, 1, 5, PixelStatus::min_norm);
}

TEST_CASE("the first date is not asked for redundancy") {
  InvertNetwork p = small_stack();
  auto samples = stored(p, signal);
  samples[0] = samples[4] = not_a_number;
  const NetworkResult result = run(p, scene_of({samples}));
  CHECK(result.status[0] == static_cast<std::uint8_t>(PixelStatus::min_norm));
  CHECK(result.count[0] == 5);
}

TEST_CASE("a misclosure shows in the temporal coherence") {
  InvertNetwork p = triplet();
  p.weight = WeightFunction::none;
  const float misclosed = static_cast<float>(2 + std::numbers::pi);
  check_pixel(run(p, scene_of({{1, 1, misclosed}})), 0, {0, -2.047198, -4.094395}, 0.57735, 3, PixelStatus::ok);
}

TEST_CASE("weights enter once, by the function asked for") {
  InvertNetwork p = triplet();
  NetworkScene scene = scene_of({{1, 1, static_cast<float>(2 + std::numbers::pi)}});
  scene.coherence = {0.8F, 0.8F, 0.2F};
  p.weight = WeightFunction::variance;
  check_pixel(run(p, scene), 0, {0, -1.068972, -2.137945}, 0.334915, 3, PixelStatus::ok);
  p.weight = WeightFunction::fisher;
  check_series(run(p, scene), 0, {0, -1.070334, -2.140668});
  p.weight = WeightFunction::coherence;
  check_pixel(run(p, scene), 0, {0, -1.523599, -3.047198}, 0.413105, 3, PixelStatus::ok);
}

TEST_CASE("NaN and zero coherence still count a little") {
  InvertNetwork p = small_stack();
  NetworkScene scene = scene_of({stored(p, signal)});
  scene.coherence = {not_a_number, 0, 0.3F, 0.9F, 0.9F, 0.9F, 0.9F};
  for (const auto function :
       {WeightFunction::none, WeightFunction::coherence, WeightFunction::fisher, WeightFunction::variance}) {
    p.weight = function;
    if (function == WeightFunction::none) continue;
    check_pixel(run(p, scene), 0, signal_m, 1, 7, PixelStatus::ok);
  }
  p.mask = model::MaskRule::at_least;
  p.mask_source = model::MaskSource::coherence;
  check_pixel(run(p, scene), 0, signal_m, 1, 4, PixelStatus::ok);
}

TEST_CASE("an infinite coherence does not make the weight infinite") {
  InvertNetwork p = small_stack();
  NetworkScene scene = scene_of({stored(p, signal)});
  scene.coherence[2] = infinity;
  for (const auto function : {WeightFunction::coherence, WeightFunction::fisher, WeightFunction::variance}) {
    p.weight = function;
    check_pixel(run(p, scene), 0, signal_m, 1, 7, PixelStatus::ok);
  }
}

TEST_CASE("pairs may be stored in any order, reversed and twice") {
  const InvertNetwork straight = small_stack();
  InvertNetwork p = straight;
  std::reverse(p.network.pairs.begin(), p.network.pairs.end());
  std::swap(p.network.pairs[6].first, p.network.pairs[6].second);
  check_pixel(run(p, scene_of({stored(p, signal)})), 0, signal_m, 1, 7, PixelStatus::ok);
  p = straight;
  p.network.pairs.push_back(p.network.pairs[0]);
  p.reference.push_back(-3);
  check_pixel(run(p, scene_of({stored(p, signal)})), 0, signal_m, 1, 8, PixelStatus::ok);
}

TEST_CASE("a network in two parts has the answer of least velocity or least phase") {
  InvertNetwork p;
  const char* d[] = {"20200101", "20200113", "20200125", "20200206", "20200218"};
  p.network = model::make_network({{d[0], d[1]}, {d[2], d[3]}, {d[3], d[4]}, {d[2], d[4]}});
  p.reference = {0.7F, 2.2F, 1.1F, 5.0F};
  p.num_looks = 5;
  p.metres_per_unit = -1;
  for (const auto function : {WeightFunction::none, WeightFunction::variance}) {
    p.weight = function;
    NetworkScene scene = scene_of({stored(p, signal)});
    if (function == WeightFunction::none) scene.coherence.clear();
    p.norm = model::MinimumNorm::velocity;
    check_pixel(run(p, scene), 0, {0, -1, -1, -3.5, -6}, 1, 4, PixelStatus::min_norm);
    p.norm = model::MinimumNorm::phase;
    check_pixel(run(p, scene), 0, {0, -1, 2.5, 0, -2.5}, 1, 4, PixelStatus::min_norm);
  }
}

TEST_CASE("one pair gives two dates") {
  InvertNetwork p;
  p.network = model::make_network({{"20200101", "20200113"}});
  p.reference = {0};
  p.weight = WeightFunction::none;
  p.metres_per_unit = -1;
  const NetworkResult result = run(p, scene_of({{2.5F}, {not_a_number}, {-1.0F}}));
  check_pixel(result, 0, {0, -2.5}, 1, 1, PixelStatus::ok);
  check_pixel(result, 1, {0, 0}, 0, 0, PixelStatus::no_data);
  check_pixel(result, 2, {0, 1}, 1, 1, PixelStatus::ok);
}

TEST_CASE("two pairs give three dates") {
  InvertNetwork p;
  p.network = model::make_network({{"20200101", "20200113"}, {"20200113", "20200125"}});
  p.reference = {0, 0};
  p.weight = WeightFunction::none;
  p.metres_per_unit = -1;
  check_pixel(run(p, scene_of({{1, 2}})), 0, {0, -1, -3}, 1, 2, PixelStatus::ok);
}

TEST_CASE("dates of one day are told apart") {
  InvertNetwork p;
  p.network = model::make_network(
      {{"20200101T0600", "20200101T1800"}, {"20200101T1800", "20200102T0600"}, {"20200101T0600", "20200102T0600"}});
  p.reference = {0, 0, 0};
  p.metres_per_unit = -1;
  check_pixel(run(p, scene_of({{1, 2, 3}})), 0, {0, -1, -3}, 1, 3, PixelStatus::ok);
}

TEST_CASE("an infinite sample is no data and is counted") {
  const InvertNetwork p = small_stack();
  auto one = stored(p, signal);
  one[4] = infinity;
  one[2] = -infinity;
  auto clean = stored(p, signal);
  clean[4] = not_a_number;
  const NetworkResult result = run(p, scene_of({one, clean, std::vector<float>(7, infinity)}));
  check_pixel(result, 0, signal_m, 1, 5, PixelStatus::ok);
  check_pixel(result, 1, signal_m, 1, 6, PixelStatus::ok);
  check_pixel(result, 2, nothing, 0, 0, PixelStatus::no_data);
  CHECK(result.tally.deviations == std::vector<std::int64_t>{2, 0});
}

TEST_CASE("a pair without a reference is used nowhere") {
  InvertNetwork p = small_stack();
  const NetworkScene scene = scene_of({reference_phase, stored(p, signal)});
  p.reference[5] = not_a_number;
  p.has_reference_pixel = true;
  const NetworkResult result = run(p, scene);
  check_pixel(result, 0, nothing, 1, 6, PixelStatus::ok);
  check_pixel(result, 1, signal_m, 1, 6, PixelStatus::ok);
}

TEST_CASE("masks leave pixels out at 0 only, before anything else is asked") {
  InvertNetwork p = small_stack();
  p.has_water_mask = true;
  p.has_quality_mask = true;
  const auto samples = stored(p, signal);
  NetworkScene scene = scene_of({samples, samples, samples, samples, std::vector<float>(7, 0.0F)});
  scene.water_mask = {1, 0, not_a_number, 5, 0};
  scene.quality_mask = {1, 1, not_a_number, 0, 1};
  const NetworkResult result = run(p, scene);
  check_pixel(result, 0, signal_m, 1, 7, PixelStatus::ok);
  check_pixel(result, 1, nothing, 0, 0, PixelStatus::masked);
  check_pixel(result, 2, signal_m, 1, 7, PixelStatus::ok);
  check_pixel(result, 3, nothing, 0, 0, PixelStatus::masked);
  check_pixel(result, 4, nothing, 0, 0, PixelStatus::masked);
}

TEST_CASE("a component mask keeps every label but 0") {
  InvertNetwork p = small_stack();
  p.mask = model::MaskRule::nonzero;
  NetworkScene scene = scene_of({stored(p, signal)});
  scene.mask = {1, 2, 300, -1, 0, not_a_number, 1};
  check_pixel(run(p, scene), 0, signal_m, 1, 5, PixelStatus::ok);
}

TEST_CASE("a masked infinity is no deviation") {
  InvertNetwork p = small_stack();
  p.mask = model::MaskRule::nonzero;
  auto samples = stored(p, signal);
  samples[4] = infinity;
  NetworkScene scene = scene_of({samples});
  scene.mask = {1, 1, 1, 1, 0, 1, 1};
  CHECK(run(p, scene).tally.deviations == std::vector<std::int64_t>{0, 0});
}

TEST_CASE("zeros of offsets are data, and their quality is the residual") {
  InvertNetwork p = triplet();
  p.kind = model::ObservationKind::offset;
  p.zero_is_data = true;
  p.weight = WeightFunction::none;
  p.has_water_mask = true;
  NetworkScene scene = scene_of({{0, 0, 0}, {1, 1, 2.3F}, {1, not_a_number, 2}, {1, 1, 2}});
  scene.water_mask = {1, 1, 1, 0};
  const NetworkResult result = run(p, scene);
  check_pixel(result, 0, {0, 0, 0}, 0, 3, PixelStatus::ok);
  check_pixel(result, 1, {0, -1.1, -2.2}, 0.3 / std::sqrt(3), 3, PixelStatus::ok);
  check_pixel(result, 2, {0, -1, -2}, -1, 2, PixelStatus::ok);  // no more rows than unknowns: no residual
  check_pixel(result, 3, {0, 0, 0}, -1, 0, PixelStatus::masked);
}

TEST_CASE("offsets are weighted by their standard deviations") {
  InvertNetwork p = triplet();
  p.kind = model::ObservationKind::offset;
  p.zero_is_data = true;
  p.weight = WeightFunction::deviation;
  NetworkScene scene = scene_of({{1, 1, 2.3F}, {1, not_a_number, 2}});
  scene.deviation = {0.5F, 0.5F, 0.5F, 0.5F, 1.0F, 0.5F};
  const NetworkResult result = run(p, scene);
  // Residuals go with the variances 1/4, 1/4, 1 of the misclosure 0.3.
  check_pixel(result, 0, {0, -1.05, -2.1}, 0.3 / 1.5 * std::sqrt(0.0625 + 0.0625 + 1), 3, PixelStatus::ok);
  check_pixel(result, 1, {0, -1, -2}, 0, 2, PixelStatus::ok);
}

TEST_CASE("the reference pixel of offsets has the residual 0 and the count that was asked for") {
  InvertNetwork p = triplet();
  p.kind = model::ObservationKind::offset;
  p.zero_is_data = true;
  p.weight = WeightFunction::none;
  p.has_reference_pixel = true;
  p.reference_count = 7;
  const NetworkResult result = run(p, scene_of({std::vector<float>(3, not_a_number)}));
  check_pixel(result, 0, {0, 0, 0}, 0, 7, PixelStatus::ok);
}

TEST_CASE("the covariance of a chain grows from its reference date") {
  InvertNetwork p;
  p.network = model::make_network({{"20200101", "20200113"}, {"20200113", "20200125"}});
  p.reference = {0, 0};
  p.kind = model::ObservationKind::offset;
  p.zero_is_data = true;
  p.weight = WeightFunction::none;
  p.covariance = model::Covariance{0, 10};
  NetworkScene scene = scene_of({{1, 2}});
  scene.deviation = {0.5F, 2.0F};
  CHECK(run(p, scene).covariance == std::vector<float>{0, 0, 0, 0, 2.5F, 2.5F, 0, 2.5F, 42.5F});
  p.covariance->reference_date = 1;
  CHECK(run(p, scene).covariance == std::vector<float>{2.5F, 0, 0, 0, 0, 0, 0, 0, 40});
}

TEST_CASE("islands are counted where a pixel is solved") {
  InvertNetwork p = small_stack();
  p.wants_islands = true;
  p.min_redundancy = 0;
  auto cut = stored(p, signal);
  cut[3] = cut[6] = 0;
  const NetworkResult result = run(p, scene_of({stored(p, signal), cut, std::vector<float>(7, 0.0F)}));
  CHECK(result.islands == std::vector<std::uint8_t>{1, 2, 0});
}

TEST_CASE("negative labels are kept and counted") {
  InvertNetwork p = small_stack();
  p.mask = model::MaskRule::nonzero;
  NetworkScene scene = scene_of({stored(p, signal), stored(p, signal)});
  scene.mask.assign(14, 1);
  scene.mask[3] = -1;
  const NetworkResult result = run(p, scene);
  check_pixel(result, 1, signal_m, 1, 7, PixelStatus::ok);
  CHECK(result.tally.deviations == std::vector<std::int64_t>{0, 1});
}

TEST_CASE("a shared later date gives the series of time, or MintPy's when asked for") {
  InvertNetwork p;
  p.network = model::make_network({{"20200113", "20200101"}, {"20200113", "20200125"}});
  p.reference = {0, 0};
  p.weight = WeightFunction::none;
  p.metres_per_unit = -1;
  p.norm = model::MinimumNorm::phase;
  const NetworkScene scene = scene_of({{-1, 2}});
  check_series(run(p, scene), 0, {0, -1, -3});
  p.removed_date = 1;
  check_series(run(p, scene), 0, {0, 1, -2});
  p.norm = model::MinimumNorm::velocity;
  check_series(run(p, scene), 0, {0, -1, -3});
}
