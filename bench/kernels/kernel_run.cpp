// What the kernel benchmarks share.
#include "bench/kernels/kernel_run.hpp"

#include <cstdlib>
#include <utility>

#include "bench/kernels/stack.hpp"
#include "cpu/backend.hpp"
#include "cpu/isa.hpp"

namespace outcrop::bench {

KernelRun::KernelRun(model::Step step, std::int64_t pixels, const std::string& instruction_set)
    : step_(std::move(step)) {
  setenv("OUTCROP_ISA", instruction_set.c_str(), 1);
  backend_ = cpu::make_cpu_backend(serial_);
  const auto layout = make_layout(step_, pixels);
  slot_.emplace(backend_->allocate(layout));
  slot_->rect = {0, 0, 1, pixels};
  program_ = backend_->compile(step_, *layout);
}

void KernelRun::operator()() {
  backend_->submit(*program_, *slot_, [](std::optional<Error> error) {
    if (error) throw Error(*error);
  });
}

std::vector<std::string> instruction_sets() {
  std::vector<std::string> found;
  for (const char* set : {"baseline", "v3", "v4"}) {
    try {
      cpu::kernels_named(set);
      found.emplace_back(set);
    } catch (const Error&) {
      continue;  // this machine does not have it
    }
  }
  return found;
}

benchmark::Counter us_a_pixel(std::int64_t pixels) {
  using benchmark::Counter;
  return {1e-6 * static_cast<double>(pixels), Counter::kIsIterationInvariantRate | Counter::kInvert};
}

void add_benchmark(const std::string& name, bool manual_time, const std::function<void(benchmark::State&)>& body) {
  constexpr int repetitions = 5;
  auto* bench = benchmark::RegisterBenchmark(name.c_str(), body);
  bench->Repetitions(repetitions)->ReportAggregatesOnly(true)->Unit(benchmark::kMillisecond);
  if (manual_time) bench->UseManualTime();
}

}  // namespace outcrop::bench
