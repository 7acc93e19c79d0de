// The device programs of a chain: the programs of its two steps one after the other on the same slot. By closed forms
// what the second reads of the first never leaves the device. By batches it has to: the host solves what the first has
// marked before the second begins, and the second copies its inputs in like any other program.
#include <algorithm>
#include <utility>

#include "gpu/program.hpp"
#include "model/steps/chain.hpp"

namespace outcrop::gpu {
namespace {

class ChainProgram : public Program {
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

  std::int64_t launches() const override { return first_->launches() + second_->launches(); }

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

  void launch(Slot& slot, DeviceSlot& device, std::byte* workspace, Stream& stream) override {
    first_->launch(slot, device, workspace, stream);
    second_->launch(slot, device, workspace, stream);
  }

  void conclude(Slot& slot, const DeviceSlot& device) const override {
    first_->conclude(slot, device);
    Tally tally = std::move(slot.tally);
    second_->conclude(slot, device);
    follow(std::move(tally), slot);
  }

 protected:
  const Program& first() const { return *first_; }
  const Program& second() const { return *second_; }
  Program& first() { return *first_; }
  Program& second() { return *second_; }

 private:
  std::unique_ptr<Program> first_;
  std::unique_ptr<Program> second_;
};

/// The steps form matrices of very different sizes: each has batches of its own size, as far as there is memory.
class BatchedChainProgram final : public ChainProgram {
 public:
  using ChainProgram::ChainProgram;

  int num_parts() const override { return 2; }
  Program& part(int number) override { return number == 0 ? first() : second(); }

  std::int64_t most_threads() const override { return std::max(first().most_threads(), second().most_threads()); }

  std::int64_t workspace_bytes(std::int64_t threads) const override {
    return std::max(first().workspace_bytes(share(first(), threads)),
                    second().workspace_bytes(share(second(), threads)));
  }

  std::int64_t design_bytes() const override { return first().design_bytes() + second().design_bytes(); }
  bool host_assembles() const override { return first().host_assembles() || second().host_assembles(); }

  std::int64_t batch_pixels(std::int64_t threads) const override {
    return first().batch_pixels(share(first(), threads));
  }

  std::int64_t prepared_bytes(std::int64_t threads) const override {
    return first().prepared_bytes(share(first(), threads)) + second().prepared_bytes(share(second(), threads));
  }

  std::int64_t staging_bytes(std::int64_t threads) const override {
    return first().staging_bytes(share(first(), threads)) + second().staging_bytes(share(second(), threads));
  }

  void set_threads(std::int64_t threads) override {
    first().set_threads(share(first(), threads));
    second().set_threads(share(second(), threads));
  }

  void prepare(const std::shared_ptr<Runtime>& runtime, const Queue& queue) override {
    first().prepare(runtime, queue);
    second().prepare(runtime, queue);
  }

  void stage(const std::shared_ptr<Runtime>& runtime, const Warn& warn) override {
    first().stage(runtime, warn);
    second().stage(runtime, warn);
  }

 private:
  static std::int64_t share(const Program& program, std::int64_t threads) {
    return std::min(threads, program.most_threads());
  }
};

std::unique_ptr<Program> make(const model::Step& step, const SlotLayout& layout, const HostShare& host) {
  const auto& chain = step.as<model::Chain>();
  if (step.solver == model::Solver::batched) return std::make_unique<BatchedChainProgram>(step, layout, host, chain);
  return std::make_unique<ChainProgram>(step, layout, host, chain);
}

}  // namespace

const ProgramKind chain_program{"", model::Solver::structured, make};

}  // namespace outcrop::gpu
