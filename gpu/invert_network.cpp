// The device program of invert-network by elimination: a launch or two for each tile.
#include <algorithm>

#include "gpu/network_program.hpp"

namespace outcrop::gpu {
namespace {

/// Of the threads of a launch, those of the launch that solves pixels of many islands.
std::int64_t few_of(std::int64_t threads) { return std::max<std::int64_t>(1, threads / 16); }

class InvertNetworkProgram final : public NetworkProgram {
 public:
  using NetworkProgram::NetworkProgram;

  std::int64_t workspace_bytes(std::int64_t threads) const override {
    Workspace workspace;
    carve(workspace, threads);
    return workspace.used();
  }

  std::int64_t launches() const override { return num_dates() <= usual_islands ? 1 : 2; }

  void launch(Slot& slot, DeviceSlot& device, std::byte* memory, Stream& stream) override {
    Workspace workspace(memory);
    const Scratches scratch = carve(workspace, threads());
    NetworkKernel kernel{on_device(slot, device), scratch.usual, false};
    const std::int64_t pixels = slot.rect.pixels();
    stream.launch({kernel, pixels, scratch.usual.threads, flops(slot)});
    if (num_dates() <= usual_islands) return;
    kernel.scratch = scratch.full;
    kernel.deferred_only = true;
    stream.launch({kernel, pixels, scratch.full.threads, 0});
  }

 private:
  /// Of the two launches: the second has few threads with room for any number of islands.
  struct Scratches {
    NetworkScratch usual;
    NetworkScratch full;
  };

  Scratches carve(Workspace& workspace, std::int64_t threads) const {
    using model::pixel::num_couplings;
    Scratches s;
    s.usual = carve_usual(workspace, threads);
    s.full = s.usual;
    s.usual.max_islands = usual_islands;
    s.usual.coupling = workspace.take<double>(num_couplings(usual_islands), threads);
    s.full.threads = few_of(threads);
    s.full.max_islands = static_cast<std::int32_t>(num_dates());
    s.full.coupling = workspace.take<double>(num_couplings(num_dates()), s.full.threads);
    return s;
  }
};

std::unique_ptr<Program> make(const model::Step& step, const SlotLayout& layout, const HostShare& /*host*/) {
  return std::make_unique<InvertNetworkProgram>(step, layout);
}

}  // namespace

const ProgramKind invert_network_program{"invert-network", model::Solver::structured, make};

}  // namespace outcrop::gpu
