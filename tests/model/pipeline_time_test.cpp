// Time of a pipeline by hand: sums, maxima, filling, slots, storage.
#include "model/cost/pipeline_time.hpp"

#include <doctest/doctest.h>

using namespace outcrop::model;

namespace {

std::vector<StageTime> stages(double read_s, double decode_s, double solve_s, double write_s) {
  return {{"read", Resource::input, read_s},
          {"decode", Resource::processors, decode_s},
          {"solve", Resource::processors, solve_s},
          {"write", Resource::output, write_s}};
}

}  // namespace

TEST_CASE("serial stages take the sum") {
  CHECK(pipeline_time(stages(1, 2, 3, 4), {10, 4, false, 0.5}).wall_s == 10.5);
}

TEST_CASE("overlapped stages take the longest resource, and one tile's passage through the others") {
  // Processors 5, input 1, output 4: 5 + (10 - 5) / 100.
  CHECK(pipeline_time(stages(1, 2, 3, 4), {100, 8, true, 0.5}).wall_s == doctest::Approx(0.5 + 5 + 0.05));
}

TEST_CASE("one tile, or one slot, cannot overlap anything") {
  CHECK(pipeline_time(stages(1, 2, 3, 4), {1, 8, true, 0}).wall_s == doctest::Approx(10));
  CHECK(pipeline_time(stages(1, 2, 3, 4), {100, 1, true, 0}).wall_s == doctest::Approx(10));
}

TEST_CASE("too few slots bound the run") {
  // Three resources of 4 s each need three slots; with two, 12 / 2.
  CHECK(pipeline_time(stages(4, 2, 2, 4), {1000, 2, true, 0}).wall_s == doctest::Approx(6).epsilon(0.01));
  CHECK(pipeline_time(stages(4, 2, 2, 4), {1000, 3, true, 0}).wall_s == doctest::Approx(4).epsilon(0.01));
}

TEST_CASE("the bottleneck is the longest stage of the busiest resource, and the next one follows without it") {
  const auto time = pipeline_time(stages(4, 2, 3, 1), {10, 4, true, 0});
  CHECK(time.bottleneck ==
        "solve");  // processors 5 s against 4 s of reading, although no stage takes longer than reading
  CHECK(time.next == "read");
  CHECK(pipeline_time(stages(9, 2, 3, 1), {10, 4, true, 0}).next == "solve");
  CHECK(pipeline_time(stages(1, 5, 6, 1), {10, 4, true, 0}).next == "decode");
}

TEST_CASE("a copy that overlaps counts only while it is the longest") {
  auto device = stages(5, 0, 0, 1);
  device.push_back({"copy_in", Resource::copy_in, 2});
  const RunShape shape{1000000, 8, true, 0};
  const double before_s = pipeline_time(device, shape).wall_s;
  device.back().alone_s = 4;
  CHECK(pipeline_time(device, shape).wall_s == doctest::Approx(before_s).epsilon(1e-4));
  device.back().alone_s = 10;
  CHECK(pipeline_time(device, shape).wall_s == doctest::Approx(2 * before_s).epsilon(1e-4));
  CHECK(pipeline_time(device, shape).bottleneck == "copy_in");
}

TEST_CASE("a run that does nothing has no bottleneck") {
  const auto time = pipeline_time(stages(0, 0, 0, 0), {1, 1, true, 0.1});
  CHECK(time.wall_s == 0.1);
  CHECK(time.bottleneck.empty());
  CHECK(time.next.empty());
  CHECK(pipeline_time({}, {1, 1, true, 0}).bottleneck.empty());
}

TEST_CASE("storage is bound by its rate, or by requests that wait") {
  const StorageRates nas{117e6, 5e-3};
  CHECK(storage_time_s(nas, 117e6, 1, 16) == doctest::Approx(1));
  // 10,000 small requests, 16 under way at a time.
  CHECK(storage_time_s(nas, 1.17e6, 10000, 16) == doctest::Approx((50 + 0.01) / 16));
  CHECK(storage_time_s(nas, 1.17e6, 10000, 1) == doctest::Approx(50.01));
  CHECK(storage_time_s({1e9, 0}, 4e15, 1e9, 4) == doctest::Approx(4e6));
}

TEST_CASE("processors that copy what is read are busy with it beside their own stages") {
  auto copying = stages(4, 2, 3, 1);
  copying[0].processor_s = 2;
  // Processors 2 + 3 + 2 of reading; of the others only reading and writing are to be filled.
  const auto time = pipeline_time(copying, {100, 8, true, 0});
  CHECK(time.wall_s == doctest::Approx(7 + 0.05));
  CHECK(time.bottleneck == "solve");
  CHECK(pipeline_time(copying, {100, 8, false, 0}).wall_s == doctest::Approx(10));
  CHECK(pipeline_time(copying, {1, 1, true, 0}).wall_s == doctest::Approx(10));
}

TEST_CASE("no run is shorter than its bytes take through memory") {
  const auto bound = pipeline_time(stages(1, 2, 3, 4), {100, 8, true, 0.5, 20});
  CHECK(bound.wall_s == doctest::Approx(20.5));
  CHECK(bound.bottleneck == "memory");
  CHECK(bound.next == "solve");
  CHECK(pipeline_time(stages(1, 2, 3, 4), {100, 8, true, 0.5, 2}).bottleneck == "solve");
}
