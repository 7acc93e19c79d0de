// Every call of a tile that can fail on the simulated device, at the first, a middle and the last tile of every kind of
// job: the device's words, no slot alive, nothing committed, and no hang (ctest's timeout). Which calls are of which
// tile is counted in a run that nothing disturbs.
#include <doctest/doctest.h>

#include <string>

#include "tests/gpu/device_jobs.hpp"
#include "tests/support/error_text.hpp"

using namespace outcrop;
using gpu::sim::Faults;
using test::Calls;
using test::DeviceJob;
using test::Undisturbed;

namespace {

/// A call, and the tile that it is of when there is one tile after the other.
struct Moment {
  std::int64_t call = 0;
  std::int64_t tile = 0;
};

/// The first call of the first tile, one in the midst of a middle tile, and the last one of the last tile.
template <class Count>
std::vector<Moment> moments(const Undisturbed& undisturbed, const Count& count) {
  const std::int64_t tiles = undisturbed.num_tiles();
  REQUIRE(tiles >= 4);
  const auto before = [&](std::int64_t tile) {
    return count(undisturbed.before_tiles[static_cast<std::size_t>(tile)]);
  };
  const std::int64_t middle = tiles / 2;
  return {
      {before(0) + 1, 0}, {(before(middle) + before(middle + 1)) / 2 + 1, middle}, {count(undisturbed.all), tiles - 1}};
}

void check_error(const DeviceJob& job, const Faults& faults, std::int64_t tile, const std::string& sentence) {
  CAPTURE(sentence);
  CAPTURE(tile);
  const auto backend = job.device(faults);
  const auto pipeline = job.pipeline();
  const auto result = pipeline->run(*backend);
  REQUIRE(result.error);
  CHECK(result.error->code() == Errc::device);
  const std::string error = result.error->what();
  CHECK_MESSAGE(test::contains(error, sentence), error);
  CHECK_MESSAGE(test::contains(error, "stage solve"), error);
  if (job.runner == pipeline::Runner::serial) {
    CHECK_MESSAGE(test::contains(error, "tile " + std::to_string(tile) + ","), error);
    CHECK(result.tiles_done == tile);
  }
  CHECK(result.slots_alive == 0);
  CHECK(pipeline->sink.abandoned());
  CHECK_FALSE(pipeline->sink.committed());
}

}  // namespace

TEST_CASE("a copy that fails ends the run with the device's words") {
  test::for_all_jobs([](const DeviceJob& job) {
    for (const auto [call, tile] : moments(Undisturbed(job), [](const Calls& calls) { return calls.copies; })) {
      check_error(job, {0, 0, call, 0, 0}, tile, "copy " + std::to_string(call) + " of the simulated device fails");
    }
  });
}

TEST_CASE("a kernel that reports an error ends the run with the device's words") {
  test::for_all_jobs([](const DeviceJob& job) {
    for (const auto [call, tile] : moments(Undisturbed(job), [](const Calls& calls) { return calls.kernels; })) {
      check_error(job, {0, 0, 0, call, 0}, tile, "kernel " + std::to_string(call) + " of the simulated device fails");
    }
  });
}

TEST_CASE("a queue that dies ends the run, though its events would never be reached") {
  test::for_all_jobs([](const DeviceJob& job) {
    for (const auto [call, tile] : moments(Undisturbed(job), [](const Calls& calls) { return calls.works(); })) {
      check_error(job, {0, 0, 0, 0, call}, tile, "a queue of the simulated device died");
    }
  });
}
