// The batched path of the device backend, on the simulated device: both assemblies and any batch give the same bits,
// the faults of the device end a tile with its words, and what a batch takes is known before.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cpu/backend.hpp"
#include "gpu/sim/potrf.hpp"
#include "model/steps/chain.hpp"
#include "tests/support/device_backend.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/host_share.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/thread_for.hpp"
#include "tests/support/topography_judge.hpp"

using namespace outcrop;
using model::CorrectTopography;
using model::Solver;
using test::Random;
using test::TopographyResult;
using test::TopographyScene;

namespace {

const test::ThreadFor threads(2);

std::unique_ptr<Backend> sim(bool host_assembles, std::int64_t batch = 0, const gpu::sim::Options& options = {}) {
  return test::device_backend("sim", {0, {}, batch, test::host_share(threads, host_assembles)}, options);
}

CorrectTopography some_topography(Random& random) {
  CorrectTopography p = test::some_model(random);
  test::choose_geometry(random, p);
  return p;
}

model::Step batched_step(const CorrectTopography& p) {
  model::Step step = model::make_correct_topography(std::make_shared<const CorrectTopography>(p));
  step.solver = Solver::batched;
  return step;
}

/// 40 x 9 pixels with baselines of their own: the tile has several batches, the last one not full.
struct Job {
  Job() {
    Random random(8);
    p.dates = test::some_dates(random, 12);
    p.excluded.assign(p.dates.size(), false);
    p.columns = model::design_columns(p.dates, 0, {});
    scene.rows = 40;
    scene.cols = 9;
    for (std::int64_t i = 0; i < 12 * scene.pixels(); ++i) {
      scene.planes["timeseries"].push_back(static_cast<float>(test::number(random, -0.1, 0.1)));
      scene.planes["bperp"].push_back(static_cast<float>(test::number(random, -200, 200)));
    }
    const auto pixels = static_cast<std::size_t>(scene.pixels());
    scene.planes["incidence"].assign(pixels, 35.0F);
    scene.planes["slant_range"].assign(pixels, 8e5F);
    scene.planes["quality_mask"].assign(pixels, 1.0F);
  }

  /// What a tile comes to.
  std::string error_of(Backend& backend) const {
    std::vector<std::string> errors;
    run(backend, 1, &errors);
    return errors.front();
  }

  /// The same tile again and again in one slot.
  void run(Backend& backend, int num_times, std::vector<std::string>* errors) const {
    const model::Step step = batched_step(p);
    const auto layout = test::topography_layout(step, scene.pixels());
    Slot slot = backend.allocate(layout);
    const auto program = backend.compile(step, *layout);
    slot.rect = {0, 0, scene.rows, scene.cols};
    for (int i = 0; i < num_times; ++i) {
      test::fill_topography(step, scene, slot);
      backend.submit(*program, slot,
                     [&](const std::optional<Error>& error) { errors->emplace_back(error ? error->what() : ""); });
      backend.drain();
    }
  }

  CorrectTopography p;
  TopographyScene scene;
};

/// The scene as one tile that has been through the backend.
Slot solved(Backend& backend, const model::Step& step, const Job& job) {
  const auto layout = test::topography_layout(step, job.scene.pixels());
  Slot slot = backend.allocate(layout);
  const auto program = backend.compile(step, *layout);
  slot.rect = {0, 0, job.scene.rows, job.scene.cols};
  test::fill_topography(step, job.scene, slot);
  backend.submit(*program, slot, [](const std::optional<Error>&) {});
  backend.drain();
  return slot;
}

}  // namespace

TEST_CASE("who assembles, and how many pixels at once, does not change a bit") {
  for (std::uint64_t seed = 300; seed < 330; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const CorrectTopography p = some_topography(random);
    const TopographyScene scene = test::some_scene(random, p);
    const TopographyResult expected =
        test::run_topography(*sim(false), p, scene, scene.rows, scene.cols, Solver::batched);
    test::compare_topography(p, scene, expected);
    for (const std::int64_t batch : {0, 1, 7, 1000}) {
      for (const bool host_assembles : {false, true}) {
        CAPTURE(batch);
        CAPTURE(host_assembles);
        CHECK(test::run_topography(*sim(host_assembles, batch), p, scene, 3, scene.cols, Solver::batched) == expected);
      }
    }
  }
}

TEST_CASE("every fault of the device ends a batched tile with the device's words, whoever assembles") {
  const Job job;
  for (const bool host_assembles : {false, true}) {
    CAPTURE(host_assembles);
    CHECK(job.error_of(*sim(host_assembles, 50)).empty());
    const std::int64_t kernels = 8 * (host_assembles ? 4 : 5);  // 360 pixels in batches of 50
    for (const std::int64_t nth : {std::int64_t{1}, kernels / 2, kernels}) {
      CAPTURE(nth);
      gpu::sim::Options options;
      options.faults.kernel = nth;
      CHECK(test::contains(job.error_of(*sim(host_assembles, 50, options)), "kernel " + std::to_string(nth)));
    }
    // Tables and pointers are copied before the tile.
    for (const std::int64_t nth : {3, 4, 9, 10}) {
      gpu::sim::Options options;
      options.faults.copy = nth;
      CHECK(test::contains(job.error_of(*sim(host_assembles, 50, options)), "copy " + std::to_string(nth)));
      options.faults = {0, 0, 0, 0, nth};
      CHECK(test::contains(job.error_of(*sim(host_assembles, 50, options)), "a queue of the simulated device died"));
    }
    gpu::sim::Options options;
    options.faults.pinned = 1;
    CHECK(job.error_of(*sim(host_assembles, 50, options)).empty());
  }
}

TEST_CASE(
    "pointers to the systems of a batch are copied once for each queue, however many batches and tiles there are") {
  const Job job;
  constexpr std::int64_t copies_before = 2;  // tables, pointers
  constexpr std::int64_t copies_a_tile = 9;  // five inputs, three outputs, the findings
  constexpr int num_tiles = 3;
  gpu::sim::Options options;
  options.faults.copy = copies_before + num_tiles * copies_a_tile + 1;
  const auto backend = sim(false, 50, options);
  std::vector<std::string> errors;
  job.run(*backend, num_tiles + 1, &errors);
  REQUIRE(errors.size() == num_tiles + 1);
  for (int i = 0; i < num_tiles; ++i) CHECK(errors[static_cast<std::size_t>(i)].empty());
  CHECK(test::contains(errors.back(), "as planned"));
}

TEST_CASE("slots that are allocated after the program, with queues of their own, give the same bits") {
  const Job job;
  const model::Step step = batched_step(job.p);
  const auto layout = test::topography_layout(step, job.scene.pixels());
  const auto backend = sim(false, 50);
  std::vector<Slot> slots;
  slots.push_back(backend->allocate(layout));
  const auto program = backend->compile(step, *layout);
  for (int i = 0; i < 2; ++i) slots.push_back(backend->allocate(layout));
  for (Slot& slot : slots) {
    slot.rect = {0, 0, job.scene.rows, job.scene.cols};
    test::fill_topography(step, job.scene, slot);
    backend->submit(*program, slot, [](const std::optional<Error>& error) { CHECK_FALSE(error); });
  }
  backend->drain();
  TopographyResult first;
  for (const Slot& slot : slots) {
    TopographyResult found;
    test::take_topography(slot, "corrected", job.scene, found.corrected);
    test::take_topography(slot, "dem_error", job.scene, found.dem_error);
    if (first.corrected.empty()) first = found;
    CHECK(found.corrected == first.corrected);
    CHECK(found.dem_error == first.dem_error);
  }
}

TEST_CASE("the plan knows the memory of a batch on the device and of its chunks on the host") {
  const Job job;
  const model::Step step = batched_step(job.p);
  const std::int64_t design = (12 * 4 + 12 + 1) * 8;  // constant, velocity, acceleration and baselines of 12 dates
  const std::int64_t normal = (4 * 4 + 4) * 8;
  for (const std::int64_t batch : {100, 1000}) {
    const ProgramOnDevice device = sim(false, batch)->program_on_device(step);
    CHECK(device.batch_pixels() == batch);
    CHECK(device.each_queue(batch) >= batch * (design + normal));
    CHECK(device.each_queue(batch) < 2 * batch * (design + normal));
    CHECK(device.each_queue(2 * batch) == device.each_queue(batch));
    CHECK(device.each_queue(batch / 2) < device.each_queue(batch) * 2 / 3);
    const std::int64_t more = sim(true, batch)->program_bytes(step) - sim(false, batch)->program_bytes(step);
    CHECK(more >= 2 * batch * design);
    CHECK(more < 4 * batch * design);
  }
  CHECK(sim(false)
            ->program_on_device(model::make_correct_topography(std::make_shared<CorrectTopography>(job.p)))
            .batch_pixels() == 0);
}

TEST_CASE("a chain in batches takes of a device what both of its steps do, each in batches of its own") {
  const Job job;
  test::Random random(5);
  auto network = std::make_shared<model::InvertNetwork>();
  network->network = test::make_test_network(random, test::NetworkShape::sequential, 12);
  network->reference.assign(network->network.pairs.size(), 0);
  const model::Step first = model::solved_by(model::make_invert_network(network), Solver::batched);
  const model::Step second = batched_step(job.p);
  const model::Step chain =
      model::solved_by(model::make_chain(first, second, {{"timeseries", "timeseries"}}), Solver::batched);
  for (const bool host_assembles : {false, true}) {
    const auto backend = sim(host_assembles, 50);
    const ProgramOnDevice one = backend->program_on_device(first);
    const ProgramOnDevice two = backend->program_on_device(second);
    const ProgramOnDevice both = backend->program_on_device(chain);
    CHECK(both.host_assembles == host_assembles);
    CHECK(both.design_bytes == one.design_bytes + two.design_bytes);
    CHECK(both.launches_of(360) == 2 * 8 * (host_assembles ? 4 : 5));
    CHECK(both.launches_of(360) == one.launches_of(360) + two.launches_of(360));
  }
  // As many of each as are worth it, where there is memory for them.
  gpu::sim::Options options;
  options.memory_bytes = std::int64_t{1} << 40;
  const auto wide = sim(false, std::int64_t{1} << 30, options)->program_on_device(chain).parts;
  REQUIRE(wide.size() == 2);
  CHECK(wide[0].batch_pixels < wide[1].batch_pixels);
}

TEST_CASE("each part of a program is launched for each of its own batches, or once for a tile") {
  ProgramOnDevice program;
  CHECK(program.batch_pixels() == 0);
  CHECK(program.launches_of(1000) == 1);
  program.parts = {{10, 5}, {64, 4}, {0, 2}};
  CHECK(program.batch_pixels() == 64);
  CHECK(program.launches_of(128) == 13 * 5 + 2 * 4 + 2);
}

TEST_CASE("a device with little memory takes smaller batches and gives the same bits") {
  const Job job;
  const TopographyResult expected = test::run_topography(*sim(false), job.p, job.scene, 40, 9, Solver::batched);
  gpu::sim::Options options;
  options.memory_bytes = 200000;
  const auto small = sim(false, 4000, options);
  CHECK(small->program_on_device(batched_step(job.p)).batch_pixels() < 100);
  CHECK(test::run_topography(*small, job.p, job.scene, 10, 9, Solver::batched) == expected);
}

TEST_CASE("design matrices that the host forms count among the bytes that are copied in") {
  const Job job;
  const model::Step step = batched_step(job.p);
  for (const bool host_assembles : {false, true}) {
    const auto backend = sim(host_assembles);
    const Slot slot = solved(*backend, step, job);
    const std::int64_t planes = (12 + 12 + 1 + 1) * 4;
    const std::int64_t design = host_assembles ? (12 * 4 + 12 + 1) * 8 : 0;
    std::int64_t copied = 0;
    for (const Span& span : slot.spans) copied += span.stage == "copy_in" ? span.bytes : 0;
    CHECK(copied >= 360 * (planes + design));
    CHECK(copied < 360 * (planes + design) + 26 * 64 * 4);
    const bool assembled =
        std::any_of(slot.spans.begin(), slot.spans.end(), [](const Span& span) { return span.stage == "assemble"; });
    CHECK(assembled == host_assembles);
  }
}

TEST_CASE("a bus that is slow with design matrices is seen to be busy with them, and the device to wait for it") {
  const Job job;
  const model::Step step = batched_step(job.p);
  gpu::sim::Options options;
  options.copy_bytes_per_s = 4e5;  // 360 pixels of 488 bytes: 0.44 s, and 0.09 s for their planes
  const auto backend = sim(true, 50, options);
  const Slot slot = solved(*backend, step, job);
  double copied_s = 0;
  double solved_s = 0;
  for (const Span& span : slot.spans) {
    copied_s += span.stage == "copy_in" ? span.end_s - span.start_s : 0;
    solved_s += span.stage == "solve" ? span.end_s - span.start_s : 0;
  }
  CHECK(copied_s > 0.5);
  CHECK(solved_s < copied_s / 2);
}

TEST_CASE("a batched step without anybody to solve what it marks is refused") {
  const auto backend = test::device_backend("sim");
  CHECK(test::contains(test::error_of([&] { backend->program_bytes(batched_step(Job().p)); }), "nobody to solve"));
}

TEST_CASE("the factor of the simulated device ends at a pivot that is not positive, and says where") {
  double whole[] = {4, 2, 0, 5};
  CHECK(gpu::sim::potrf(2, whole) == 0);
  CHECK(whole[0] == 2);
  CHECK(whole[1] == 1);
  CHECK(whole[3] == 2);
  double deficient[] = {1, 1, 0, 1};
  CHECK(gpu::sim::potrf(2, deficient) == 2);
  double empty[] = {0};
  CHECK(gpu::sim::potrf(1, empty) == 1);
}
