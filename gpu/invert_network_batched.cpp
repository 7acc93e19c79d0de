// The device program of invert-network by normal equations: a tile in batches of pixels, whose design matrices are
// formed by a kernel, or by the host while the device solves the batch before.
#include <algorithm>

#include "gpu/batched_program.hpp"
#include "gpu/network_program.hpp"

namespace outcrop::gpu {
namespace {

class BatchedNetworkProgram final : public BatchedProgram<NetworkProgram> {
 public:
  BatchedNetworkProgram(const model::Step& step, const SlotLayout& layout, const HostShare& host)
      : BatchedProgram(step, layout, host) {}

  std::int64_t workspace_bytes(std::int64_t threads) const override {
    Workspace workspace;
    carve(workspace, threads);
    return workspace.used();
  }

  void launch(Slot& slot, DeviceSlot& device, std::byte* memory, Stream& stream) override {
    Workspace workspace(memory);
    const Memory to = carve(workspace, threads());
    const NetworkPixels pixels = on_device(slot, device);
    for (std::int64_t first = 0; first < slot.rect.pixels(); first += threads()) {
      const std::int64_t count = std::min(threads(), slot.rect.pixels() - first);
      assemble(slot, device, {pixels, to.batch.design, first}, count, stream);
      solver_.solve(to.batch, count, stream);
      stream.launch({NetworkSolution{pixels, to.batch.normal, to.scratch, first}, count, threads(), 0});
      solver_.end_batch(device, stream);
    }
  }

 protected:
  /// As the structured program does on the device; here the reference has its say before.
  void adjust(Slot& slot) const override {
    const std::int64_t at = reference_pixel(slot.rect);
    if (at < 0) return;
    std::uint8_t& status = slot.plane<std::uint8_t>(plane("status"))(0, at);
    --slot.tally.status[status];
    ++slot.tally[PixelStatus::ok];
    status = static_cast<std::uint8_t>(PixelStatus::ok);
    slot.plane<float>(plane("quality"))(0, at) = reference_quality();
    slot.plane<float>(plane("count"))(0, at) = reference_count();
  }

 private:
  struct Memory {
    Batch batch;
    NetworkScratch scratch;
  };

  Memory carve(Workspace& workspace, std::int64_t pixels) const {
    Memory memory{solver_.carve(workspace, pixels), carve_usual(workspace, pixels)};
    if (!has_covariance()) return memory;
    memory.scratch.max_islands = static_cast<std::int32_t>(num_dates());
    memory.scratch.coupling = workspace.take<double>(model::pixel::num_couplings(num_dates()), pixels);
    return memory;
  }

  /// What the assembly would do on the device, there or by the host.
  void assemble(Slot& slot, DeviceSlot& device, const NetworkAssembly& on_device, std::int64_t count, Stream& stream) {
    const std::int64_t rows = solver_.rows();
    if (rows == 0) return;
    if (!solver_.host_assembles()) {
      stream.launch({on_device, count * rows, count * rows, 0});
      return;
    }
    const NetworkPixels pixels = on_host(slot);
    solver_.assemble(slot, device, count, on_device.to, stream, [&](const DesignBatch& chunk, std::int64_t pixel) {
      const NetworkAssembly mine{pixels, chunk, on_device.first_pixel};
      for (std::int64_t row = 0; row < rows; ++row) mine(pixel * rows + row, 0);
    });
  }
};

std::unique_ptr<Program> make(const model::Step& step, const SlotLayout& layout, const HostShare& host) {
  return std::make_unique<BatchedNetworkProgram>(step, layout, host);
}

}  // namespace

const ProgramKind invert_network_batched_program{"invert-network", model::Solver::batched, make};

}  // namespace outcrop::gpu
