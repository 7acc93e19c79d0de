// The host program of a chain: the programs of its two steps one after the other on the same slot.
#include <utility>

#include "cpu/program.hpp"
#include "model/steps/chain.hpp"

namespace outcrop::cpu {
namespace {

/// The chain's planes under the names that its second step knows; those it does not know are nameless.
SlotLayout seen_by_second(const model::Chain& chain, const SlotLayout& layout) {
  const std::string prefix = model::name_in_chain(chain.second, "");
  std::vector<std::string> names;
  for (const PlaneLayout& plane : layout.planes()) {
    names.push_back(plane.name.starts_with(prefix) ? plane.name.substr(prefix.size()) : "");
    for (const model::ChainLink& link : chain.links) {
      if (plane.name == link.output) names.back() = link.input;
    }
  }
  return layout.renamed(names);
}

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
  auto second = kind_of(chain.second).make(chain.second, seen_by_second(chain, layout), kernels, num_workers);
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
