// The host program of a chain: the programs of its two steps one after the other on the same slot.
#include <utility>

#include "cpu/program.hpp"
#include "model/steps/chain.hpp"

namespace outcrop::cpu {
namespace {

class ChainProgram final : public Program {
 public:
  ChainProgram(std::unique_ptr<Program> first, std::unique_ptr<Program> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  void run(Slot& slot, const ParallelFor& parallel) override {
    first_->run(slot, parallel);
    Tally tally = std::move(slot.tally);
    second_->run(slot, parallel);
    tally.then.push_back(std::move(slot.tally));
    slot.tally = std::move(tally);
  }

 private:
  std::unique_ptr<Program> first_;
  std::unique_ptr<Program> second_;
};

std::unique_ptr<Program> make(const model::Step& step, const SlotLayout& layout, const KernelSet& kernels,
                              int num_workers) {
  const auto& chain = step.as<model::Chain>();
  auto first = kind_of(chain.first).make(chain.first, layout, kernels, num_workers);
  auto second = kind_of(chain.second).make(chain.second, model::seen_by_second(chain, layout), kernels, num_workers);
  return std::make_unique<ChainProgram>(std::move(first), std::move(second));
}

std::int64_t bytes(const model::Step& step, const KernelSet& kernels, int num_workers) {
  const auto& chain = step.as<model::Chain>();
  return kind_of(chain.first).bytes(chain.first, kernels, num_workers) +
         kind_of(chain.second).bytes(chain.second, kernels, num_workers);
}

}  // namespace

const ProgramKind chain_program{"", make, bytes};

}  // namespace outcrop::cpu
