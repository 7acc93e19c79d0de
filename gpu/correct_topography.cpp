// The device program of correct-topography by closed forms: a launch for each tile.
#include "gpu/topography_program.hpp"
#include "gpu/workspace.hpp"

namespace outcrop::gpu {
namespace {

class CorrectTopographyProgram final : public TopographyProgram {
 public:
  using TopographyProgram::TopographyProgram;

  std::int64_t workspace_bytes(std::int64_t threads) const override {
    Workspace workspace;
    carve(workspace, threads);
    return workspace.used();
  }

  void launch(Slot& slot, DeviceSlot& device, std::byte* memory, Stream& stream) override {
    Workspace workspace(memory);
    const TopographyScratch scratch = carve(workspace, threads());
    const TopographyKernel kernel{on_device(slot, device), scratch};
    stream.launch({kernel, slot.rect.pixels(), scratch.threads, flops(slot)});
  }

 private:
  TopographyScratch carve(Workspace& workspace, std::int64_t threads) const {
    TopographyScratch s;
    s.threads = threads;
    s.coefficient = workspace.take<double>(rank(), threads);
    if (!own_baselines()) return s;
    s.of_baseline = workspace.take<double>(rank(), threads);
    return s;
  }
};

std::unique_ptr<Program> make(const model::Step& step, const SlotLayout& layout, const HostShare& /*host*/) {
  return std::make_unique<CorrectTopographyProgram>(step, layout);
}

}  // namespace

const ProgramKind correct_topography_program{"correct-topography", model::Solver::structured, make};

}  // namespace outcrop::gpu
