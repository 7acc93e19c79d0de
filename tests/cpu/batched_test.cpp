// The batched solver on the host: the same bits however the work is cut, and its memory. What it answers is for every
// backend: see tests/contract.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "cpu/backend.hpp"
#include "tests/support/network_judge.hpp"
#include "tests/support/thread_for.hpp"
#include "tests/support/topography_judge.hpp"

using namespace outcrop;
using model::CorrectTopography;
using model::InvertNetwork;
using model::Solver;
using test::NetworkResult;
using test::NetworkScene;
using test::Random;
using test::TopographyResult;
using test::TopographyScene;

namespace {

CorrectTopography some_topography(Random& random) {
  CorrectTopography p = test::some_model(random);
  test::choose_geometry(random, p);
  return p;
}

}  // namespace

TEST_CASE("the bits of the batched solver do not depend on threads, tiles or the place in a pack") {
  Random random(11);
  const SerialFor serial;
  const test::ThreadFor threads(3);
  const auto one = cpu::make_cpu_backend(serial);
  const auto three = cpu::make_cpu_backend(threads);
  for (const auto shape : {test::NetworkShape::sequential, test::NetworkShape::random}) {
    InvertNetwork p = test::random_step(random, shape, 17);
    p.wants_islands = true;
    const NetworkScene scene = test::random_scene(random, p, 11, 37);
    const NetworkResult whole = test::run_network(*one, p, scene, 11, 37, Solver::batched);
    for (const auto& [rows, cols] : {std::pair{10, 5}, std::pair{1, 37}, std::pair{1, 1}, std::pair{4, 36}}) {
      CHECK(test::run_network(*one, p, scene, rows, cols, Solver::batched) == whole);
    }
    CHECK(test::run_network(*three, p, scene, 11, 37, Solver::batched) == whole);
  }
  for (std::uint64_t seed = 1000; seed < 1010; ++seed) {
    Random numbers(seed);
    const CorrectTopography p = some_topography(numbers);
    const TopographyScene scene = test::some_scene(numbers, p);
    const TopographyResult whole = test::run_topography(*one, p, scene, scene.rows, scene.cols, Solver::batched);
    CHECK(test::run_topography(*three, p, scene, 2, 5, Solver::batched) == whole);
    CHECK(test::run_topography(*one, p, scene, 1, 1, Solver::batched) == whole);
  }
}

TEST_CASE("the plan knows of the normal equations of every worker") {
  Random random(5);
  auto p = std::make_shared<InvertNetwork>(test::random_step(random, test::NetworkShape::sequential, 98));
  model::Step step = model::make_invert_network(p);
  const SerialFor serial;
  const test::ThreadFor threads(3);
  const auto one = cpu::make_cpu_backend(serial);
  const std::int64_t structured = one->program_bytes(step);
  const double flops = step.flops();
  step.solver = Solver::batched;
  const std::int64_t normal_bytes = std::int64_t{97} * 97 * 8 * one->limits().batch_pixels;
  CHECK(one->program_bytes(step) - structured >= normal_bytes);
  CHECK(cpu::make_cpu_backend(threads)->program_bytes(step) - structured >= 3 * normal_bytes);
  CHECK(step.flops() > 10 * flops);
}
