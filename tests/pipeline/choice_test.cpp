// Choices by prediction: the faster backend, the solver with the faster kernel, and who forms design matrices.
#include "pipeline/choice.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "model/steps/chain.hpp"
#include "pipeline/device_stages.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/toy_device.hpp"

using namespace outcrop;
using model::Solver;
using pipeline::Candidate;
using pipeline::choose_candidate;
using pipeline::KernelRate;

namespace {

Candidate planned(const std::string& name, double wall_s) {
  Candidate candidate;
  candidate.name = name;
  candidate.plan.emplace();
  candidate.plan->predicted.wall_s = wall_s;
  return candidate;
}

Candidate failed(const std::string& name, const std::string& why) { return {name, std::nullopt, why}; }

model::Step toy(Solver solver = Solver::structured) {
  model::Step step = test::toy_step();
  step.batched_flops_per_pixel = 30;
  step.solver = solver;
  return step;
}

/// A toy whose kernels take so many seconds a pixel.
std::vector<KernelRate> kernels(double structured_s, double batched_s) {
  return {{"toy", Solver::structured, structured_s, 1e30}, {"toy", Solver::batched, batched_s, 1e30}};
}

struct Toys {
  pipeline::Config config;
  pipeline::Machine machine = pipeline::reference_machine();
  test::ToyBackend host;
  test::ToyDevice device;

  Toys() {
    device.flops_per_s = 0;
    device.copy_bytes_per_s = 0;
    device.launch_s = 0;
  }
  pipeline::SolverChoice choose(Backend& backend) { return choose_solver(config, toy(), machine, backend); }
};

}  // namespace

TEST_CASE("the candidate with the smallest predicted wall time is chosen, and both times are told") {
  const auto fast = choose_candidate({planned("cpu", 4), planned("cuda:0 A", 2), planned("sim", 3)});
  CHECK(fast.index == 1);
  CHECK(fast.reason == "predicted 2.00 s on cuda:0 A, 4.00 s on the host, 3.00 s on sim");
  const auto slow = choose_candidate({planned("cpu", 1), planned("sim", 3)});
  CHECK(slow.index == 0);
  CHECK(slow.reason == "predicted 1.00 s on the host, 3.00 s on sim");
}

TEST_CASE("a device that is hardly faster than the host is not worth it") {
  CHECK(choose_candidate({planned("cpu", 1), planned("sim", 0.98)}).index == 0);
  CHECK(choose_candidate({planned("cpu", 1), planned("sim", 0.96)}).index == 1);
}

TEST_CASE("a candidate without a plan is left out, and the reason says why") {
  const auto chosen = choose_candidate({planned("cpu", 4), failed("sim", "no memory"), planned("cuda:1 A", 1)});
  CHECK(chosen.index == 2);
  CHECK(test::contains(chosen.reason, "4.00 s on the host; sim is left out: no memory"));
  CHECK(choose_candidate({planned("cpu", 4), failed("sim", "no memory")}).reason == "sim is left out: no memory");
  CHECK(choose_candidate({planned("cpu", 4)}).reason.empty());
}

TEST_CASE("the solver whose kernel is faster is chosen on the host when the machine file has both") {
  Toys toys;
  CHECK(toys.choose(toys.host).solver == Solver::structured);
  CHECK(test::contains(toys.choose(toys.host).reason, "fewer operations"));
  toys.machine.kernels = kernels(1e-6, 2e-6);
  CHECK(toys.choose(toys.host).solver == Solver::structured);
  CHECK(toys.choose(toys.host).reason == "predicted 1 us a pixel, batched 2 us a pixel");
  toys.machine.kernels = kernels(3e-6, 2e-6);
  CHECK(toys.choose(toys.host).solver == Solver::batched);
  CHECK(toys.choose(toys.host).reason == "predicted 2 us a pixel, structured 3 us a pixel");
  toys.machine.kernels.pop_back();
  CHECK(toys.choose(toys.host).solver == Solver::structured);
}

TEST_CASE("what the solver of a device is depends on the machine file's rates of that device alone") {
  Toys toys;
  toys.machine.kernels = kernels(3e-6, 2e-6);
  CHECK(toys.choose(toys.device).solver == Solver::structured);
  toys.machine.devices = {{"toy device", 0, 1e9, 1e9, 0, 0, kernels(3e-6, 1e-6)}};
  CHECK(toys.choose(toys.device).solver == Solver::batched);
  CHECK_FALSE(toys.choose(toys.device).host_assembles);
  toys.device.flops_per_s = 1e6;  // a device that says its own rate
  CHECK(toys.choose(toys.device).solver == Solver::structured);
}

TEST_CASE("a chain is weighed on a device by the kernels of both of its steps") {
  Toys toys;
  model::Step second = toy();
  second.name = "other";
  const model::Step chain = model::make_chain(toy(), second, {{"copy", "in"}});
  auto rates = kernels(3e-6, 1e-6);
  toys.machine.devices = {{"toy device", 0, 1e9, 1e9, 0, 0, rates}};
  CHECK(choose_solver(toys.config, chain, toys.machine, toys.device).solver == Solver::structured);
  rates.push_back({"other", Solver::structured, 1e-6, 1e30});
  rates.push_back({"other", Solver::batched, 2e-6, 1e30});
  toys.machine.devices[0].kernels = rates;
  const auto chosen = choose_solver(toys.config, chain, toys.machine, toys.device);
  CHECK(chosen.solver == Solver::batched);
  CHECK(chosen.reason == "predicted 3 us a pixel, structured 4 us a pixel");
}

TEST_CASE("memory, tiles and threads have no say in the solver") {
  Toys toys;
  toys.machine.kernels = kernels(3e-6, 2e-6);
  const auto before = toys.choose(toys.host);
  toys.config.memory_bytes = 1 << 26;
  toys.config.tile_rows = toys.config.tile_cols = 3;
  toys.config.threads = 7;
  toys.config.slots = 1;
  CHECK(toys.choose(toys.host).solver == before.solver);
  CHECK(toys.choose(toys.host).reason == before.reason);
}

TEST_CASE("design matrices are formed where that is faster: bytes over the bus against the device's own kernel") {
  Toys toys;
  toys.config.solver = "batched";
  toys.device.program.design_bytes = 1000;
  auto rates = kernels(1, 5e-6);
  rates.push_back({"toy", Solver::batched, 2e-6, 1e30, true});
  toys.machine.devices = {{"toy device", 0, 1e9, 1e9, 0, 1e9, rates}};
  CHECK(toys.choose(toys.device).host_assembles);  // 1 us on the bus, 1 us in the host, 2 us in the kernel
  CHECK(test::contains(toys.choose(toys.device).reason, "by the device: predicted 5 us a pixel, by the host: 2 us"));
  toys.machine.devices[0].copy_in_bytes_per_s = 1e8;  // 10 us on the bus
  CHECK_FALSE(toys.choose(toys.device).host_assembles);
  toys.machine.devices[0].copy_in_bytes_per_s = 1e9;
  toys.machine.devices[0].assemble_bytes_per_s = 1e8;  // 10 us in the host
  CHECK_FALSE(toys.choose(toys.device).host_assembles);
  toys.config.host_assembles = true;
  CHECK(toys.choose(toys.device).host_assembles);
}

TEST_CASE("wrong names of solvers are refused") {
  Toys toys;
  toys.config.solver = "guess";
  CHECK(test::contains(test::error_of([&] { toys.choose(toys.host); }), "there is no solver 'guess'"));
}

TEST_CASE("a device is what it says itself, else what the machine file says of it or of one of its make") {
  Toys toys;
  CHECK_FALSE(has_pace(toys.device, toys.machine));
  toys.machine.devices = {{"cuda:0 Make", 0.5, 1e9, 2e9, 1e-5, 0, kernels(3e-6, 1e-6)}};
  toys.device.title = "cuda:3 Make";
  CHECK(has_pace(toys.device, toys.machine));
  auto pace = pace_of(toys.device, toy(), toys.machine, false);
  CHECK(pace.pixel_s == doctest::Approx(3e-6));
  CHECK(pace.copy_out_bytes_per_s == 2e9);
  CHECK(device_start_s(toys.device, toys.machine) == 0.5);
  CHECK(device_start_s(toys.host, toys.machine) == 0);
  toys.device.start_s = 2;
  CHECK(device_start_s(toys.device, toys.machine) == 2);
  toys.device.flops_per_s = 3e5;
  toys.device.copy_bytes_per_s = 7;
  pace = pace_of(toys.device, toy(), toys.machine, false);
  CHECK(pace.pixel_s == doctest::Approx(1e-5));
  CHECK(pace.copy_in_bytes_per_s == 7);
  toys.device.title = "cuda:3 Other";
  CHECK(find_device(toys.machine.devices, toys.device.title) == nullptr);
  CHECK(pipeline::device_flag("cuda:3 Other") == "cuda:3");
}
