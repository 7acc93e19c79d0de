// The host backend: runs Steps on packs of pixels with the instruction set the machine has.
#include "cpu/backend.hpp"

#include <fmt/format.h>

#include <utility>

#include "cpu/program.hpp"
#include "model/steps/chain.hpp"

namespace outcrop::cpu {
namespace {

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const ParallelFor& parallel) : parallel_(parallel), kernels_(choose_kernels()) {}

  std::string name() const override { return "cpu"; }
  std::string instruction_set() const override { return kernels_.target; }

  BackendLimits limits() const override {
    BackendLimits limits;
    limits.batch_pixels = kernels_.invert_network->width;
    return limits;
  }

  Slot allocate(std::shared_ptr<const SlotLayout> layout) override {
    const std::int64_t bytes = layout->total_bytes();
    return {std::move(layout), allocate_host(bytes)};
  }

  std::int64_t program_bytes(const model::Step& step) const override {
    return kind_of(step).bytes(step, kernels_, parallel_.concurrency());
  }

  std::unique_ptr<TileProgram> compile(const model::Step& step, const SlotLayout& layout) override {
    return kind_of(step).make(step, layout, kernels_, parallel_.concurrency());
  }

  void submit(TileProgram& program, Slot& slot, Completion done) override { done(run(program, slot)); }

  void drain() noexcept override {}

 private:
  std::optional<Error> run(TileProgram& program, Slot& slot) const {
    try {
      dynamic_cast<Program&>(program).run(slot, parallel_);
      return std::nullopt;
    } catch (...) {
      return current_error();
    }
  }

  const ParallelFor& parallel_;
  const KernelSet& kernels_;
};

}  // namespace

const ProgramKind& kind_of(const model::Step& step) {
  if (model::chain_of(step) != nullptr) return chain_program;
  for (const ProgramKind* kind : {&invert_network_program, &correct_topography_program}) {
    if (step.name == kind->step) return *kind;
  }
  fail(Errc::unsupported, fmt::format("the host backend has no program for the step '{}'", step.name));
}

std::unique_ptr<Backend> make_cpu_backend(const ParallelFor& parallel) {
  return std::make_unique<CpuBackend>(parallel);
}

}  // namespace outcrop::cpu
