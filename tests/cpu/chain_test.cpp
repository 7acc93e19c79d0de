// A chain against its two steps one after the other.
#include "model/steps/chain.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "tests/support/backend_under_test.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/network_run.hpp"
#include "tests/support/topography_run.hpp"

using namespace outcrop;

namespace {

constexpr std::int64_t rows = 7;
constexpr std::int64_t cols = 41;
const std::vector<std::string> dates{"20200101", "20200113", "20200125", "20200206", "20200218"};

model::InvertNetwork network() {
  model::InvertNetwork p;
  p.network = model::make_network({{dates[0], dates[1]},
                                   {dates[1], dates[2]},
                                   {dates[2], dates[3]},
                                   {dates[3], dates[4]},
                                   {dates[0], dates[2]},
                                   {dates[2], dates[4]}});
  p.reference.assign(6, 0.0F);
  p.weight = model::WeightFunction::none;
  p.metres_per_unit = -0.0044;
  p.has_reference_pixel = true;
  p.reference_row = 3;
  p.reference_col = 5;
  return p;
}

model::CorrectTopography topography() {
  model::CorrectTopography p;
  p.dates = dates;
  p.excluded.assign(dates.size(), false);
  p.excluded[3] = true;
  model::DesignTerms terms;
  terms.polynomial_order = 1;
  p.columns = model::design_columns(dates, 0, terms);
  p.bperp_m = {0, 80, -60, 120, -30};
  p.incidence_deg = 35;
  p.slant_range = model::RangeLine{850000, 20};
  p.has_quality_mask = true;
  return p;
}

test::NetworkScene scene() {
  std::mt19937 random(5);
  std::normal_distribution<float> phase(0, 3);
  test::NetworkScene scene;
  scene.rows = rows;
  scene.cols = cols;
  for (std::int64_t i = 0; i < 6 * rows * cols; ++i) {
    scene.observation.push_back(random() % 4 == 0 ? std::numeric_limits<float>::quiet_NaN() : phase(random));
  }
  return scene;
}

struct Both {
  test::NetworkResult first;
  test::TopographyResult second;
};

Both separately(Backend& backend, model::Solver solver) {
  Both both;
  both.first = test::run_network(backend, network(), scene(), rows, cols, solver);
  test::TopographyScene series{rows, cols, {}};
  series.planes["timeseries"] = both.first.timeseries;
  series.planes["quality_mask"] = both.first.quality;
  both.second = test::run_topography(backend, topography(), series, rows, cols, solver);
  return both;
}

Both in_one_pass(Backend& backend, model::Solver solver, std::int64_t tile_rows, std::int64_t tile_cols) {
  const model::Step step = model::solved_by(
      model::make_chain(model::make_invert_network(std::make_shared<const model::InvertNetwork>(network())),
                        model::make_correct_topography(std::make_shared<const model::CorrectTopography>(topography())),
                        {{"timeseries", "timeseries"}, {"quality", "quality_mask"}}),
      solver);
  const test::NetworkScene input = scene();
  const test::TopographyScene shape{rows, cols, {}};
  const TileGrid grid(rows, cols, tile_rows, tile_cols);
  const auto layout = test::layout_of(step, grid.tile_rows() * grid.tile_cols());
  Slot slot = backend.allocate(layout);
  const auto program = backend.compile(step, *layout);
  Both both;
  for (std::int64_t tile = 0; tile < grid.count(); ++tile) {
    slot.rect = grid.rect(tile);
    test::fill_slot(step, input, slot);
    backend.submit(*program, slot, [](const std::optional<Error>& error) { CHECK(!error); });
    backend.drain();
    test::take_plane(slot, "timeseries", input, both.first.timeseries);
    test::take_plane(slot, "quality", input, both.first.quality);
    test::take_plane(slot, "count", input, both.first.count);
    test::take_plane(slot, "status", input, both.first.status);
    test::take_topography(slot, "correct-topography.corrected", shape, both.second.corrected);
    test::take_topography(slot, "correct-topography.residual", shape, both.second.residual);
    test::take_topography(slot, "correct-topography.dem_error", shape, both.second.dem_error);
    test::take_topography(slot, "correct-topography.status", shape, both.second.status);
    REQUIRE(slot.tally.then.size() == 1);
    both.first.tally.add(slot.tally);
  }
  both.second.tally = both.first.tally.then.front();
  return both;
}

}  // namespace

TEST_CASE("a chain gives the bits and the counts of its steps run one after the other, in any tile") {
  const test::ThreadFor threads(2);
  const auto backend = test::backend_under_test(threads);
  for (const auto solver : {model::Solver::structured, model::Solver::batched}) {
    CAPTURE(static_cast<int>(solver));
    const Both expected = separately(*backend, solver);
    CHECK(expected.first.tally[PixelStatus::min_norm] > 40);
    CHECK(expected.second.tally[PixelStatus::ok] > 100);
    for (const auto& [tile_rows, tile_cols] : {std::pair{rows, cols}, {std::int64_t{2}, std::int64_t{13}}}) {
      const Both found = in_one_pass(*backend, solver, tile_rows, tile_cols);
      CHECK(found.first == expected.first);
      CHECK(found.second == expected.second);
    }
  }
}

TEST_CASE("the memory of a chain's program is that of both steps") {
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
  const model::Step first = model::make_invert_network(std::make_shared<const model::InvertNetwork>(network()));
  const model::Step second =
      model::make_correct_topography(std::make_shared<const model::CorrectTopography>(topography()));
  const model::Step chain = model::make_chain(first, second, {{"timeseries", "timeseries"}});
  CHECK(backend->program_bytes(chain) == backend->program_bytes(first) + backend->program_bytes(second));
}

TEST_CASE("a chain with a step that has no program is refused by the name of that step") {
  const SerialFor serial;
  const auto backend = test::backend_under_test(serial);
  model::Step second = model::make_correct_topography(std::make_shared<const model::CorrectTopography>(topography()));
  second.name = "levitate";
  const model::Step chain =
      model::make_chain(model::make_invert_network(std::make_shared<const model::InvertNetwork>(network())), second,
                        {{"timeseries", "timeseries"}});
  CHECK(test::contains(test::error_of([&] { backend->program_bytes(chain); }), "no program for the step 'levitate'"));
}
