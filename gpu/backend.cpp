#include "gpu/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/completion.hpp"
#include "gpu/ordering_threads.hpp"
#include "gpu/part_times.hpp"
#include "gpu/program.hpp"
#include "gpu/queue_pool.hpp"
#include "gpu/slot.hpp"
#include "model/step_layout.hpp"
#include "model/steps/chain.hpp"

namespace outcrop::gpu {
namespace {

/// More streams than this gain nothing: copies both ways, a launch, and what waits for them.
constexpr int most_queues = 16;

/// Share of the device's free memory that working memory takes, all queues that there usually are together, when the
/// program wants more.
constexpr double workspace_share = 0.25;
constexpr int usual_queues = 6;

/// With fewer pixels at once than this share of those that were planned, other memory is given up rather.
constexpr std::int64_t smallest_share = 16;

/// Threads that run together on every device.
constexpr std::int64_t fewest_threads = 32;

class DeviceBackend final : public Backend {
 public:
  DeviceBackend(std::shared_ptr<Runtime> runtime, DeviceOptions options)
      : runtime_(std::move(runtime)),
        options_(std::move(options)),
        free_bytes_(runtime_->device_bytes_free()),
        queues_(runtime_, options_.queues > 0 ? options_.queues : most_queues) {}
  ~DeviceBackend() override { drain_all(); }

  std::string name() const override { return runtime_->name(); }
  std::string instruction_set() const override { return {}; }

  BackendLimits limits() const override {
    const RuntimeLimits device = runtime_->limits();
    BackendLimits limits;
    limits.is_device = true;
    limits.device_bytes_free = free_bytes_;
    limits.device_is_host = device.memory_is_host;
    limits.num_queues = queues_.most();
    limits.workspace_bytes = device.host_bytes;
    limits.copy_bytes_per_s = device.copy_bytes_per_s;
    limits.flops_per_s = device.flops_per_s;
    limits.launch_s = device.launch_s;
    limits.start_s = device.start_s;
    return limits;
  }

  Slot allocate(std::shared_ptr<const SlotLayout> layout) override {
    auto companion = std::make_unique<DeviceSlot>(runtime_, queues_.next(), *layout, warn_once());
    // The companion owns the memory.
    SlotMemory memory(companion->host.data(), [](std::byte*) {});
    return {std::move(layout), std::move(memory), std::move(companion)};
  }

  std::int64_t program_bytes(const model::Step& step) const override {
    const auto program = host_program(step);
    return program->table_bytes() + program->staging_bytes(preferred_threads(*program)) + marked_bytes(step);
  }

  std::int64_t slot_device_bytes(const SlotLayout& layout) const override { return DeviceSlot::device_bytes(layout); }

  ProgramOnDevice program_on_device(const model::Step& step) const override {
    const std::shared_ptr<Program> program = host_program(step);
    const std::int64_t threads = preferred_threads(*program);
    program->set_threads(threads);
    ProgramOnDevice on_device{
        allocated_bytes(program->table_bytes()), {}, {}, program->design_bytes(), program->host_assembles()};
    for (int i = 0; i < program->num_parts(); ++i) {
      const Program& part = program->part(i);
      on_device.parts.push_back({part.batch_pixels(part.threads()), part.launches()});
    }
    on_device.queue_bytes = [program, threads](std::int64_t tile_pixels) {
      const std::int64_t mine = threads_for(*program, threads, tile_pixels);
      return allocated_bytes(program->workspace_bytes(mine)) + program->prepared_bytes(mine);
    };
    if (program->batch_pixels(1) > 0 && threads < options_.batch_pixels) {
      on_device.batch_without_room = options_.batch_pixels;
    }
    return on_device;
  }

  std::unique_ptr<TileProgram> compile(const model::Step& step, const SlotLayout& layout) override {
    std::unique_ptr<Program> program = make_program(step, layout);
    const std::int64_t wanted = threads_for(*program, preferred_threads(*program), layout.pixel_capacity());
    std::string reason;
    const std::int64_t fewest = std::max(fewest_of(*program), wanted / smallest_share);
    const std::int64_t threads = queues_.prepare(*program, wanted, fewest, reason);
    if (threads < wanted && options_.warn) {
      options_.warn(fmt::format("{} works on {} pixels at once instead of {}: {}", name(), threads, wanted, reason));
    }
    program->stage(runtime_, warn_once());
    return program;
  }

  void submit(TileProgram& program, Slot& slot, Completion done) override {
    auto& device = *static_cast<DeviceSlot*>(slot.companion());
    auto& compiled = static_cast<Program&>(program);
    completions_.add(
        [this, &compiled, &slot, &device, part = 0, ordered = begin(compiled.part(0), slot, device)]() mutable {
          std::optional<Error> error = ordered.get();
          if (!error) error = finish(compiled.part(part), part, slot, device);
          const bool is_last = error.has_value() || ++part == compiled.num_parts();
          if (!is_last) ordered = begin(compiled.part(part), slot, device);
          // What was ordered before the failure may still read and write the slot.
          if (error) device.queue->stream().wait();
          return Progress{is_last, std::move(error)};
        },
        std::move(done));
  }

  void drain() noexcept override { drain_all(); }

 private:
  void drain_all() noexcept { completions_.drain(); }

  /// Once, however many slots could not be pinned.
  Warn warn_once() {
    return [this](const std::string& reason) {
      if (!options_.warn || warned_.exchange(true)) return;
      options_.warn("slots are in pageable memory, from which " + runtime_->name() + " copies more slowly: " + reason);
    };
  }

  /// The tables alone: no layout decides how large they are.
  std::unique_ptr<Program> host_program(const model::Step& step) const {
    SlotLayout layout(1, 0);
    model::add_planes(layout, step);
    return make_program(step, layout);
  }

  std::unique_ptr<Program> make_program(const model::Step& step, const SlotLayout& layout) const {
    const ProgramKind& kind = kind_of(step);
    if (step.solver == model::Solver::batched && !options_.host.make_solve_marked) {
      fail(Errc::unsupported,
           fmt::format("the device backend was given nobody to solve the pixels that '{}' marks", step.name));
    }
    return kind.make(step, layout, options_.host);
  }

  /// A batch may be of a few pixels: its design matrices are large.
  static std::int64_t fewest_of(const Program& program) { return program.batch_pixels(1) > 0 ? 1 : fewest_threads; }

  /// As many as the device runs at once, or as a batch is wished for, but no more than a share of its memory holds.
  std::int64_t preferred_threads(const Program& program) const {
    const double share = workspace_share * static_cast<double>(free_bytes_) / std::min(queues_.most(), usual_queues);
    std::int64_t threads = std::min(runtime_->limits().threads, program.most_threads());
    if (program.batch_pixels(threads) > 0 && options_.batch_pixels > 0) threads = options_.batch_pixels;
    while (threads > fewest_of(program) && static_cast<double>(program.workspace_bytes(threads)) > share) threads /= 2;
    return threads;
  }

  /// Nor more than a tile has pixels.
  static std::int64_t threads_for(const Program& program, std::int64_t preferred, std::int64_t tile_pixels) {
    return std::min(preferred, std::max(fewest_of(program), tile_pixels));
  }

  /// What the host holds while it solves what a tile's steps have marked, one step after the other.
  std::int64_t marked_bytes(const model::Step& step) const {
    std::int64_t most = 0;
    if (step.solver != model::Solver::batched || !options_.host.solve_marked_bytes) return most;
    for (const model::Step* single : model::steps_of(step)) {
      most = std::max(most, options_.host.solve_marked_bytes(*single));
    }
    return most;
  }

  /// What came of an ordering.
  using Ordered = std::shared_future<std::optional<Error>>;

  /// Orders at once what takes no time to order.
  Ordered begin(Program& program, Slot& slot, DeviceSlot& device) {
    const auto told = std::make_shared<std::promise<std::optional<Error>>>();
    const auto job = [told, &program, &slot, &device] { told->set_value(order(program, slot, device)); };
    if (program.host_assembles()) {
      ordering_.run(job);
    } else {
      job();
    }
    return told->get_future().share();
  }

  static std::optional<Error> order(Program& program, Slot& slot, DeviceSlot& device) {
    try {
      const std::lock_guard lock(device.queue->mutex());
      program.order(slot, device);
      return std::nullopt;
    } catch (...) {
      return current_error();
    }
  }

  /// part: the program's number in the tile's path.
  std::optional<Error> finish(const Program& program, int part, Slot& slot, const DeviceSlot& device) {
    try {
      device.copied_out->wait();
      times_.note(program, slot, device);
      Tally before = std::move(slot.tally);
      program.conclude(slot, device);
      if (part > 0) follow(std::move(before), slot);
      return std::nullopt;
    } catch (...) {
      return current_error();
    }
  }

  std::shared_ptr<Runtime> runtime_;
  DeviceOptions options_;
  std::int64_t free_bytes_;  ///< at first
  std::atomic<bool> warned_{false};
  QueuePool queues_;
  OrderingThreads ordering_;
  PartTimes times_;               ///< the completion thread's own
  CompletionThread completions_;  // last: its jobs use the others
};

}  // namespace

std::unique_ptr<Backend> make_backend(std::shared_ptr<Runtime> runtime, DeviceOptions options) {
  return std::make_unique<DeviceBackend>(std::move(runtime), std::move(options));
}

}  // namespace outcrop::gpu
