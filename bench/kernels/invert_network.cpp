// The inversion kernel of each instruction set on one thread, and sgelsd_ on the same pixels.
#include "bench/kernels/invert_network.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

#include "bench/kernels/least_squares.hpp"
#include "bench/kernels/stack.hpp"
#include "core/parallel.hpp"
#include "cpu/backend.hpp"
#include "cpu/isa.hpp"
#include "model/weight.hpp"

namespace outcrop::bench {
namespace {

constexpr int repetitions = 5;

const StackShape near_stack{98, 5, 0, 15000};
const StackShape long_pair_stack{98, 5, 36, 15000};
const StackShape long_stack{333, 4, 0, 5000};

benchmark::Counter us_a_pixel(std::int64_t pixels) {
  using benchmark::Counter;
  return {1e-6 * static_cast<double>(pixels), Counter::kIsIterationInvariantRate | Counter::kInvert};
}

/// A stack in a slot, and the program that solves it.
class Solver {
 public:
  Solver(const StackShape& shape, model::WeightFunction weight, const std::string& instruction_set)
      : parameters_(make_parameters(shape, weight)), step_(model::make_invert_network(parameters_)) {
    setenv("OUTCROP_ISA", instruction_set.c_str(), 1);
    backend_ = cpu::make_cpu_backend(serial_);
    const auto layout = make_layout(step_, shape.pixels);
    slot_.emplace(backend_->allocate(layout));
    slot_->rect = {0, 0, 1, shape.pixels};
    fill_inputs(*parameters_, shape, *slot_);
    program_ = backend_->compile(step_, *layout);
  }

  void run() {
    backend_->submit(*program_, *slot_, [](std::optional<Error> error) {
      if (error) throw Error(*error);
    });
  }

 private:
  SerialFor serial_;
  std::shared_ptr<const model::InvertNetwork> parameters_;
  model::Step step_;
  std::unique_ptr<Backend> backend_;
  std::optional<Slot> slot_;
  std::unique_ptr<TileProgram> program_;
};

void run_kernel(benchmark::State& state, const StackShape& shape, model::WeightFunction weight,
                const std::string& instruction_set) {
  Solver solver(shape, weight, instruction_set);
  solver.run();  // touches every page
  for ([[maybe_unused]] auto _ : state) solver.run();
  state.counters[us_per_pixel] = us_a_pixel(shape.pixels);
}

void run_baseline(benchmark::State& state, const StackShape& shape) {
  const auto parameters = make_parameters(shape, model::WeightFunction::variance);
  const model::Step step = model::make_invert_network(parameters);
  const SerialFor serial;
  Slot slot = cpu::make_cpu_backend(serial)->allocate(make_layout(step, shape.pixels));
  slot.rect = {0, 0, 1, shape.pixels};
  fill_inputs(*parameters, shape, slot);
  const model::Weights weights(parameters->weight, parameters->num_looks);
  LeastSquares problem(*parameters);
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

template <class Body>
void add(const std::string& name, bool manual_time, Body body) {
  auto* bench = benchmark::RegisterBenchmark(name.c_str(), body);
  bench->Repetitions(repetitions)->ReportAggregatesOnly(true)->Unit(benchmark::kMillisecond);
  if (manual_time) bench->UseManualTime();
}

bool runs_here(const std::string& instruction_set) {
  try {
    cpu::kernels_named(instruction_set);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::vector<Ratio> register_invert_network() {
  using model::WeightFunction;
  const std::string baseline = "sgelsd/D98_M475";
  add(baseline, true, [](benchmark::State& state) { run_baseline(state, near_stack); });
  std::vector<Ratio> ratios;
  for (const std::string set : {"baseline", "v3", "v4"}) {
    if (!runs_here(set)) continue;
    const auto add_kernel = [&](const char* stack, const StackShape& shape, WeightFunction weight) {
      std::string name = fmt::format("invert_network/{}/{}", stack, set);
      add(name, false, [=](benchmark::State& state) { run_kernel(state, shape, weight, set); });
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
