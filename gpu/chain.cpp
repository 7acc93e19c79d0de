// The device program of a chain: the programs of its two steps one after the other on the same slot. What the second
// reads of the first never leaves the device.
#include <algorithm>
#include <utility>

#include "gpu/program.hpp"
#include "model/steps/chain.hpp"

namespace outcrop::gpu {
namespace {

class ChainProgram final : public Program {
 public:
  ChainProgram(const model::Step& step, const SlotLayout& layout, const HostShare& host, const model::Chain& chain)
      : Program(step, layout),
        first_(kind_of(chain.first).make(chain.first, layout, host)),
        second_(kind_of(chain.second).make(chain.second, model::seen_by_second(chain, layout), host)) {
    second_->set_place(1);
  }

  /// The second starts when the first is done with the memory.
  std::int64_t workspace_bytes(std::int64_t threads) const override {
    return std::max(first_->workspace_bytes(threads), second_->workspace_bytes(threads));
  }

  std::int64_t table_bytes() const override { return first_->table_bytes() + second_->table_bytes(); }

  void upload(const std::shared_ptr<Runtime>& runtime, Stream& stream) override {
    first_->upload(runtime, stream);
    second_->upload(runtime, stream);
  }

  void set_threads(std::int64_t threads) override {
    Program::set_threads(threads);
    first_->set_threads(threads);
    second_->set_threads(threads);
  }

  void launch(Slot& slot, const DeviceSlot& device, std::byte* workspace, Stream& stream) override {
    first_->launch(slot, device, workspace, stream);
    second_->launch(slot, device, workspace, stream);
  }

  void conclude(Slot& slot, const DeviceSlot& device) const override {
    first_->conclude(slot, device);
    Tally tally = std::move(slot.tally);
    second_->conclude(slot, device);
    tally.then.push_back(std::move(slot.tally));
    slot.tally = std::move(tally);
  }

 private:
  std::unique_ptr<Program> first_;
  std::unique_ptr<Program> second_;
};

std::unique_ptr<Program> make(const model::Step& step, const SlotLayout& layout, const HostShare& host) {
  return std::make_unique<ChainProgram>(step, layout, host, step.as<model::Chain>());
}

}  // namespace

const ProgramKind chain_program{"", model::Solver::structured, make};

}  // namespace outcrop::gpu
