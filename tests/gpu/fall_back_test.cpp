// Each allocation of every kind of job that the simulated device can refuse: the run ends well, with the same numbers,
// says once what it does without, and has no slot alive. A run allocates nothing once its first tile is ordered.
// What exactly is done without: fault_test.cpp.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/gpu/device_jobs.hpp"
#include "tests/support/error_text.hpp"

using namespace outcrop;
using gpu::sim::Faults;
using test::DeviceJob;
using test::Undisturbed;

namespace {

/// Of a run with a fault, which must end well.
struct Answer {
  std::string device;  ///< that ran
  std::vector<std::string> warnings;
  std::vector<std::byte> products;
  std::vector<float> series;
};

Answer answer_of(const DeviceJob& job, const Faults& faults) {
  const pipeline::Workers workers(2, job.runner);
  const auto host = cpu::make_cpu_backend(workers.solve_for());
  Answer answer;
  const auto backend = job.device(faults, &answer.warnings);
  const auto pipeline = job.pipeline();
  const auto result = pipeline->run(*backend, host.get());
  REQUIRE_MESSAGE(!result.error, std::string(result.error ? result.error->what() : ""));
  CHECK(result.slots_alive == 0);
  CHECK(result.tiles_done == pipeline->plan(*backend).grid.count());
  answer.device = result.device;
  answer.warnings.insert(answer.warnings.end(), pipeline->warnings.begin(), pipeline->warnings.end());
  answer.products = test::product_bytes(*pipeline);
  answer.series = pipeline->sink.floats(pipeline->step.outputs.front().name);
  return answer;
}

/// Of answers of the device and the host.
void check_close(const std::vector<float>& found, const std::vector<float>& expected) {
  REQUIRE(found.size() == expected.size());
  double largest = 0;
  double difference = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    largest = std::max(largest, std::abs(double{expected[i]}));
    difference = std::max(difference, std::abs(double{found[i]} - double{expected[i]}));
  }
  CHECK(largest > 0);
  CHECK(difference <= 1e-6 * largest);
}

}  // namespace

TEST_CASE("without pinned memory the run goes on in pageable memory, with one warning and the same numbers") {
  test::for_all_jobs([](const DeviceJob& job) {
    const Undisturbed undisturbed(job);
    const std::int64_t pinned = undisturbed.all.pinned;
    CHECK(pinned >= test::num_slots + (job.host_assembles ? 1 : 0));
    CHECK(undisturbed.before_tiles.front().pinned == pinned);
    for (std::int64_t nth = 1; nth <= pinned; ++nth) {
      CAPTURE(nth);
      const Answer answer = answer_of(job, {0, nth, 0, 0, 0});
      CHECK(answer.device == "sim");
      REQUIRE(answer.warnings.size() == 1);
      CHECK(test::contains(answer.warnings[0], "pageable memory"));
      CHECK(answer.products == undisturbed.products);
    }
  });
}

TEST_CASE("whichever allocation a device refuses, the run ends well with the same numbers and says so at most once") {
  test::for_all_jobs([](const DeviceJob& job) {
    const Undisturbed undisturbed(job);
    const std::int64_t allocations = undisturbed.all.allocations;
    CHECK(allocations >= 2 * test::num_slots + 1);
    CHECK(undisturbed.before_tiles.front().allocations == allocations);
    for (std::int64_t nth = 1; nth <= allocations; ++nth) {
      CAPTURE(nth);
      const Answer answer = answer_of(job, {nth, 0, 0, 0, 0});
      CHECK(answer.warnings.size() <= 1);
      if (answer.device == "sim") {
        CHECK(nth != 1);
        CHECK(answer.products == undisturbed.products);
        continue;
      }
      // Working memory may be smaller, and all but one of the slots may go, before the host takes over.
      CHECK(nth <= test::num_slots + 1);
      REQUIRE(answer.warnings.size() == 1);
      CHECK(test::contains(answer.warnings[0], "running on the cpu instead of sim"));
      check_close(answer.series, undisturbed.series);
    }
  });
}
