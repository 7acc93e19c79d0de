// Tests of core/trace: what spans add up to, from any thread.
#include "core/trace.hpp"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

using outcrop::Trace;

TEST_CASE("spans of a stage add up") {
  Trace trace(false);
  trace.record({"read", 0, 0, 10.0, 11.0, 0.25, 100});
  trace.record({"solve", 0, 0, 11.0, 14.0, 3.0, 0});
  trace.record({"read", 1, 1, 9.5, 12.0, 0.5, 50});
  const auto totals = trace.totals();
  REQUIRE(totals.size() == 2);
  CHECK(totals[0].stage == "read");
  CHECK(totals[0].busy_s == doctest::Approx(3.5));
  CHECK(totals[0].cpu_s == doctest::Approx(0.75));
  CHECK(totals[0].first_start_s == 9.5);
  CHECK(totals[0].last_end_s == 12.0);
  CHECK(totals[0].bytes == 150);
}

TEST_CASE("single spans are kept only when asked for") {
  Trace totals_only(false);
  Trace everything(true);
  for (Trace* trace : {&totals_only, &everything}) trace->record({"read", 3, 0, 0, 1, 0, 0});
  CHECK(totals_only.spans().empty());
  REQUIRE(everything.spans().size() == 1);
  CHECK(everything.spans()[0].tile == 3);
}

TEST_CASE("threads record at the same time") {
  Trace trace(true);
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&trace] {
      for (int i = 0; i < 500; ++i) trace.record({"solve", i, outcrop::thread_number(), 0, 1, 0, 1});
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(trace.totals()[0].bytes == 2000);
  CHECK(trace.spans().size() == 2000);
}

TEST_CASE("a thread keeps its number and shares it with no other") {
  const int mine = outcrop::thread_number();
  int other = mine;
  std::thread([&other] { other = outcrop::thread_number(); }).join();
  CHECK(outcrop::thread_number() == mine);
  CHECK(other != mine);
}
