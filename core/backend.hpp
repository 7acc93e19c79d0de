// Backend: the only seam between the pipeline and the code that computes. A backend compiles Steps into TilePrograms
// and runs them on slots; the pipeline never hears of solvers, instruction sets or queues.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/slot.hpp"

namespace outcrop {

namespace model {
struct Step;
}

/// What a backend can give; decides slots and queues in the plan.
struct BackendLimits {
  bool is_device = false;              ///< slots live in memory of a device too
  std::int64_t device_bytes_free = 0;  ///< when the backend was made
  bool device_is_host = false;         ///< what it takes of the device is memory of this process
  int num_queues = 1;
  std::int64_t workspace_bytes = 0;  ///< host memory the backend itself will hold, all workers together
  std::int64_t batch_pixels = 1;     ///< pixels that are solved together
  double copy_bytes_per_s = 0;       ///< to the device, and as fast back at the same time; 0: not known
  double flops_per_s = 0;            ///< of the device; 0: not known
  double launch_s = 0;               ///< before each kernel
  double start_s = 0;                ///< that the device took to start; 0: not known
};

/// A part of a program that a tile goes through before the next begins.
struct PartOnDevice {
  std::int64_t batch_pixels = 0;  ///< whose design matrices it holds at once; 0: none is formed
  std::int64_t launches = 1;      ///< kernels for each batch, or for each tile where there are no batches
};

/// What a program takes of a device.
struct ProgramOnDevice {
  std::int64_t tables = 0;  ///< bytes
  /// Bytes of a queue's working memory, for tiles of so many pixels; empty: none.
  std::function<std::int64_t(std::int64_t tile_pixels)> queue_bytes;
  std::vector<PartOnDevice> parts = {{}};  ///< the two steps of a chain that is solved in batches; else one
  std::int64_t design_bytes = 0;           ///< of a pixel's design matrices, were they formed by the host and copied
  bool host_assembles = false;             ///< they are
  /// Pixels of the batch that was asked for, when the device's memory holds fewer; else 0.
  std::int64_t batch_without_room = 0;

  std::int64_t each_queue(std::int64_t tile_pixels) const { return queue_bytes ? queue_bytes(tile_pixels) : 0; }

  /// Of the largest batch; 0: no design matrix is formed.
  std::int64_t batch_pixels() const {
    std::int64_t most = 0;
    for (const PartOnDevice& part : parts) most = std::max(most, part.batch_pixels);
    return most;
  }

  /// Kernels for a tile of so many pixels.
  std::int64_t launches_of(std::int64_t pixels) const {
    std::int64_t launches = 0;
    for (const PartOnDevice& part : parts) {
      const std::int64_t batches = part.batch_pixels > 0 ? (pixels + part.batch_pixels - 1) / part.batch_pixels : 1;
      launches += batches * part.launches;
    }
    return launches;
  }
};

/// A Step compiled for one backend: tables uploaded, scratch allocated. Opaque; used with the backend that made it.
class TileProgram {
 public:
  virtual ~TileProgram() = default;
};

/// Called exactly once for each submit, from any thread: with nothing, or with what went wrong. Must not throw.
using Completion = std::function<void(std::optional<Error>)>;

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string name() const = 0;             ///< "cpu", "sim", "cuda:0 NVIDIA ..."
  virtual std::string instruction_set() const = 0;  ///< of host kernels: "x86-64"; empty where there are none
  virtual BackendLimits limits() const = 0;

  /// Memory for one slot: host (pinned where the backend copies from it) and device. Slots are allocated before
  /// compile(), which prepares what each takes of the device; for a later one that is done while its first tile is
  /// solved.
  /// Throws: Errc::out_of_memory with the bytes.
  virtual Slot allocate(std::shared_ptr<const SlotLayout> layout) = 0;

  /// Host bytes compile() will allocate for this step, all workers together: for the plan, without allocating them.
  virtual std::int64_t program_bytes(const model::Step& step) const = 0;

  /// Device bytes of one slot, and what the program of a step takes: for the plan. 0 where slots live in host memory
  /// alone.
  virtual std::int64_t slot_device_bytes(const SlotLayout&) const { return 0; }
  virtual ProgramOnDevice program_on_device(const model::Step&) const { return {}; }

  /// Finds the step's planes in the layout by name and prepares everything that is the same for all tiles.
  /// Throws: Errc::unsupported for a step it does not know.
  virtual std::unique_ptr<TileProgram> compile(const model::Step& step, const SlotLayout& layout) = 0;

  /// Runs the program on the slot: reads its input planes, writes its output planes and its tally. Returns at once or
  /// when done; calls `done` exactly once in either case, also when something throws inside.
  virtual void submit(TileProgram& program, Slot& slot, Completion done) = 0;

  /// Waits for everything submitted.
  virtual void drain() noexcept = 0;
};

}  // namespace outcrop
