// The inversion kernel of each instruction set on one thread, and sgelsd_ on the same pixels.
#include "bench/kernels/invert_network.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/kernels/kernel_run.hpp"
#include "bench/kernels/least_squares.hpp"
#include "bench/kernels/stack.hpp"
#include "model/weight.hpp"

namespace outcrop::bench {
namespace {

const StackShape near_stack{98, 5, 0, 15000};
const StackShape long_pair_stack{98, 5, 36, 15000};
const StackShape long_stack{333, 4, 0, 5000};

void run_kernel(benchmark::State& state, const StackShape& shape, model::WeightFunction weight,
                const std::string& instruction_set) {
  const auto parameters = make_parameters(shape, weight);
  KernelRun run(model::make_invert_network(parameters), shape.pixels, instruction_set);
  fill_inputs(*parameters, shape, run.slot());
  run();  // touches every page
  for ([[maybe_unused]] auto _ : state) run();
  state.counters[us_per_pixel] = us_a_pixel(shape.pixels);
}

void run_baseline(benchmark::State& state, const StackShape& shape) {
  const auto parameters = make_parameters(shape, model::WeightFunction::variance);
  KernelRun run(model::make_invert_network(parameters), shape.pixels, "baseline");
  const Slot& slot = run.slot();
  fill_inputs(*parameters, shape, slot);
  const model::Weights weights(parameters->weight, parameters->num_looks);
  NetworkProblem problem(*parameters);
  const auto phases = slot.plane<float>(slot.layout().index("observation"));
  const auto coherences = slot.plane<float>(slot.layout().index("coherence"));
  std::int64_t pixel = 0;
  for ([[maybe_unused]] auto _ : state) {
    std::vector<float> phase;
    std::vector<float> root_weight;
    for (std::int64_t k = 0; k < parameters->num_pairs(); ++k) {
      phase.push_back(phases(k, pixel) - parameters->reference[static_cast<std::size_t>(k)]);
      root_weight.push_back(static_cast<float>(std::sqrt(weights(coherences(k, pixel)))));
    }
    state.SetIterationTime(problem.solve(phase, root_weight));
    pixel = (pixel + 1) % shape.pixels;
  }
  state.counters[us_per_pixel] = us_a_pixel(1);
}

}  // namespace

std::vector<Ratio> register_invert_network() {
  using model::WeightFunction;
  const std::string baseline = "sgelsd/D98_M475";
  add_benchmark(baseline, true, [](benchmark::State& state) { run_baseline(state, near_stack); });
  std::vector<Ratio> ratios;
  for (const std::string& set : instruction_sets()) {
    const auto add_kernel = [&](const char* stack, const StackShape& shape, WeightFunction weight) {
      std::string name = fmt::format("invert_network/{}/{}", stack, set);
      add_benchmark(name, false, [=](benchmark::State& state) { run_kernel(state, shape, weight, set); });
      return name;
    };
    const std::string near = add_kernel("D98_M475", near_stack, WeightFunction::variance);
    add_kernel("D98_M475_unweighted", near_stack, WeightFunction::none);
    const std::string long_pairs = add_kernel("D98_M511_36_long", long_pair_stack, WeightFunction::variance);
    const std::string many = add_kernel("D333_M1322", long_stack, WeightFunction::variance);
    ratios.push_back({"sgelsd / kernel, " + set, baseline, near, 500, true});
    ratios.push_back({"36 long pairs / near pairs, " + set, long_pairs, near, 2.5, false});
    ratios.push_back({"D 333, M 1322 / D 98, M 475, " + set, many, near, 4, false});
  }
  return ratios;
}

}  // namespace outcrop::bench
