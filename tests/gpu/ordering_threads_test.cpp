// Threads on which tiles are ordered, and the lock that goes to who has waited longest.
#include "gpu/ordering_threads.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <set>
#include <thread>
#include <vector>

#include "gpu/turns.hpp"

using outcrop::gpu::OrderingThreads;
using outcrop::gpu::Turns;

TEST_CASE("jobs that wait for each other run at the same time") {
  constexpr int num_jobs = 5;
  std::latch together(num_jobs);
  std::latch done(num_jobs);
  OrderingThreads threads;
  for (int i = 0; i < num_jobs; ++i) {
    threads.run([&] {
      together.arrive_and_wait();
      done.count_down();
    });
  }
  done.wait();
  CHECK(done.try_wait());
}

TEST_CASE("a thread that has nothing to do takes the next job") {
  OrderingThreads threads;
  std::set<std::thread::id> seen;
  for (int i = 0; i < 20; ++i) {
    std::promise<std::thread::id> told;
    threads.run([&] { told.set_value(std::this_thread::get_id()); });
    seen.insert(told.get_future().get());
  }
  // A thread is idle only some time after it has told: at most one more is made meanwhile.
  CHECK(seen.size() <= 2);
}

TEST_CASE("jobs that were given are done before the threads go") {
  std::atomic<int> done{0};
  {
    OrderingThreads threads;
    for (int i = 0; i < 50; ++i) threads.run([&] { ++done; });
  }
  CHECK(done == 50);
}

TEST_CASE("turns go round: who has just had one waits for all who asked before") {
  constexpr int num_threads = 4;
  constexpr int num_turns = 50;
  Turns turns;
  std::latch ready(num_threads);
  std::vector<int> order;
  std::vector<std::thread> threads;
  turns.lock();
  for (int i = 0; i < num_threads; ++i) {
    threads.emplace_back([&, i] {
      ready.count_down();
      for (int turn = 0; turn < num_turns; ++turn) {
        turns.lock();
        order.push_back(i);
        // Long enough for the others to ask.
        std::this_thread::sleep_for(std::chrono::milliseconds(turn < 3 ? 20 : 0));
        turns.unlock();
      }
    });
  }
  ready.wait();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  turns.unlock();
  for (std::thread& thread : threads) thread.join();
  REQUIRE(order.size() == num_threads * num_turns);
  // While all four ask, each has one turn in four.
  for (std::size_t at = num_threads; at < 2 * num_threads; ++at) {
    std::set<int> round(order.begin() + static_cast<std::ptrdiff_t>(at) - num_threads,
                        order.begin() + static_cast<std::ptrdiff_t>(at));
    CHECK(round.size() == num_threads);
  }
}
