// The device program of correct-topography by normal equations: a tile in batches of pixels, whose design matrices are
// formed by a kernel, or by the host while the device solves the batch before.
#include <algorithm>

#include "gpu/batched_program.hpp"
#include "gpu/topography_program.hpp"

namespace outcrop::gpu {
namespace {

class BatchedTopographyProgram final : public BatchedProgram<TopographyProgram> {
 public:
  BatchedTopographyProgram(const model::Step& step, const SlotLayout& layout, const HostShare& host)
      : BatchedProgram(step, layout, host) {}

  std::int64_t workspace_bytes(std::int64_t threads) const override {
    Workspace workspace;
    carve(workspace, threads);
    return workspace.used();
  }

  void launch(Slot& slot, DeviceSlot& device, std::byte* memory, Stream& stream) override {
    Workspace workspace(memory);
    const Memory to = carve(workspace, threads());
    const TopographyPixels pixels = on_device(slot, device);
    for (std::int64_t first = 0; first < slot.rect.pixels(); first += threads()) {
      const std::int64_t count = std::min(threads(), slot.rect.pixels() - first);
      assemble(slot, device, {pixels, to.batch.design, first}, count, stream);
      solver_.solve(to.batch, count, stream);
      const TopographySolution solution{pixels,         to.batch.normal, to.batch.design.scale,
                                        to.coefficient, threads(),       first};
      stream.launch({solution, count, count, 0});
      solver_.end_batch(device, stream);
    }
  }

 private:
  struct Memory {
    Batch batch;
    double* coefficient = nullptr;  ///< [rank, B]
  };

  Memory carve(Workspace& workspace, std::int64_t pixels) const {
    Memory memory{solver_.carve(workspace, pixels)};
    memory.coefficient = workspace.take<double>(rank(), pixels);
    return memory;
  }

  /// What the assembly would do on the device, there or by the host.
  void assemble(Slot& slot, DeviceSlot& device, const TopographyAssembly& on_device, std::int64_t count,
                Stream& stream) {
    if (!solver_.host_assembles()) {
      stream.launch({on_device, count, count, 0});
      return;
    }
    const TopographyPixels pixels = on_host(slot);
    solver_.assemble(slot, device, count, on_device.to, stream, [&](const DesignBatch& chunk, std::int64_t pixel) {
      TopographyAssembly{pixels, chunk, on_device.first_pixel}(pixel, 0);
    });
  }
};

std::unique_ptr<Program> make(const model::Step& step, const SlotLayout& layout, const HostShare& host) {
  return std::make_unique<BatchedTopographyProgram>(step, layout, host);
}

}  // namespace

const ProgramKind correct_topography_batched_program{"correct-topography", model::Solver::batched, make};

}  // namespace outcrop::gpu
