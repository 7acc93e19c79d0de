#include "gpu/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "gpu/claimed_time.hpp"
#include "gpu/completion.hpp"
#include "gpu/program.hpp"
#include "gpu/queue.hpp"
#include "gpu/slot.hpp"
#include "model/step_layout.hpp"
#include "model/steps/chain.hpp"

namespace outcrop::gpu {
namespace {

/// More streams than this gain nothing: copies both ways, a launch, and what waits for them.
constexpr int most_queues = 16;

/// Share of the device's free memory that working memory takes, all queues together, when the program wants more.
constexpr double workspace_share = 0.25;

/// Threads that run together on every device.
constexpr std::int64_t fewest_threads = 32;

/// In a trace the queues of the device stand below the threads of the host.
constexpr int first_queue_number = 1000;

/// Parts of a device that work at the same time, by their names in reports and traces.
enum : int { copying_in, solving, copying_out };
constexpr const char* part_names[] = {"copy_in", "solve", "copy_out"};

class DeviceBackend final : public Backend {
 public:
  DeviceBackend(std::shared_ptr<Runtime> runtime, DeviceOptions options)
      : runtime_(std::move(runtime)), options_(std::move(options)), free_bytes_(runtime_->device_bytes_free()) {}
  ~DeviceBackend() override { drain_all(); }

  std::string name() const override { return runtime_->name(); }
  std::string instruction_set() const override { return {}; }

  BackendLimits limits() const override {
    const RuntimeLimits device = runtime_->limits();
    BackendLimits limits;
    limits.is_device = true;
    limits.device_bytes_free = free_bytes_;
    limits.device_is_host = device.memory_is_host;
    limits.num_queues = max_queues();
    limits.workspace_bytes = device.host_bytes;
    limits.copy_bytes_per_s = device.copy_bytes_per_s;
    limits.flops_per_s = device.flops_per_s;
    limits.launch_s = device.launch_s;
    limits.start_s = device.start_s;
    return limits;
  }

  Slot allocate(std::shared_ptr<const SlotLayout> layout) override {
    auto companion = std::make_unique<DeviceSlot>(runtime_, next_queue(), *layout, warn_once());
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
    if (const std::int64_t wanted = wanted_threads(*program); program->batch_pixels(1) > 0 && threads < wanted) {
      on_device.batch_without_room = wanted;
    }
    return on_device;
  }

  std::unique_ptr<TileProgram> compile(const model::Step& step, const SlotLayout& layout) override {
    std::unique_ptr<Program> program = make_program(step, layout);
    const std::lock_guard lock(mutex_);
    std::erase_if(queues_, [](const auto& queue) { return queue.use_count() == 1; });  // of slots that are gone
    if (queues_.empty()) queues_.push_back(std::make_shared<Queue>(runtime_, 0));
    program->upload(runtime_, queues_.front()->stream());
    const std::int64_t threads =
        reserve_most(*program, threads_for(*program, preferred_threads(*program), layout.pixel_capacity()));
    workspace_bytes_ = std::max(workspace_bytes_, program->workspace_bytes(threads));
    program->stage(runtime_, warn_once());
    return program;
  }

  void submit(TileProgram& program, Slot& slot, Completion done) override {
    auto& device = *static_cast<DeviceSlot*>(slot.companion());
    auto& compiled = static_cast<Program&>(program);
    completions_.add(
        [this, &compiled, &slot, &device, part = 0, failed = order(compiled.part(0), slot, device)]() mutable {
          std::optional<Error> error = failed ? failed : finish(compiled.part(part), part, slot, device);
          const bool is_last = error.has_value() || ++part == compiled.num_parts();
          if (!is_last) failed = order(compiled.part(part), slot, device);
          // What was ordered before the failure may still read and write the slot.
          if (error) device.queue->stream().wait();
          return Progress{is_last, std::move(error)};
        },
        std::move(done));
  }

  void drain() noexcept override { drain_all(); }

 private:
  void drain_all() noexcept { completions_.drain(); }

  int max_queues() const { return options_.queues > 0 ? options_.queues : most_queues; }

  /// One that no slot has, one more as long as there may be, else in turn.
  std::shared_ptr<Queue> next_queue() {
    const std::lock_guard lock(mutex_);
    const auto least = std::min_element(queues_.begin(), queues_.end(),
                                        [](const auto& a, const auto& b) { return a.use_count() < b.use_count(); });
    const bool is_full = static_cast<int>(queues_.size()) >= max_queues();
    if (least != queues_.end() && (is_full || least->use_count() == 1)) return *least;
    queues_.push_back(std::make_shared<Queue>(runtime_, static_cast<int>(queues_.size())));
    queues_.back()->reserve(workspace_bytes_);
    return queues_.back();
  }

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

  /// As many as the device runs at once, or as a batch is wished for.
  std::int64_t wanted_threads(const Program& program) const {
    const std::int64_t threads = std::min(runtime_->limits().threads, program.most_threads());
    return program.batch_pixels(threads) > 0 && options_.batch_pixels > 0 ? options_.batch_pixels : threads;
  }

  /// No more of these than a share of the device's memory holds.
  std::int64_t preferred_threads(const Program& program) const {
    const double share = workspace_share * static_cast<double>(free_bytes_) / max_queues();
    std::int64_t threads = wanted_threads(program);
    while (threads > fewest_of(program) && static_cast<double>(program.workspace_bytes(threads)) > share) threads /= 2;
    return threads;
  }

  /// Nor more than a tile has pixels.
  static std::int64_t threads_for(const Program& program, std::int64_t preferred, std::int64_t tile_pixels) {
    return std::min(preferred, std::max(fewest_of(program), tile_pixels));
  }

  /// Memory of all queues for as many threads as there is memory for, at most `wanted`. Gives: their number. Throws:
  /// Errc::out_of_memory, Errc::device.
  std::int64_t reserve_most(Program& program, std::int64_t wanted) {
    const std::int64_t fewest = fewest_of(program);
    std::string reason;
    for (std::int64_t threads = wanted;; threads = std::max(fewest, threads / 2)) {
      try {
        reserve(program, threads);
        if (threads < wanted && options_.warn) {
          options_.warn(
              fmt::format("{} works on {} pixels at once instead of {}: {}", name(), threads, wanted, reason));
        }
        return threads;
      } catch (const Error& error) {
        if (threads <= fewest || error.code() != Errc::out_of_memory) throw;
        reason = error.what();
      }
      for (const auto& queue : queues_) queue->shrink(workspace_bytes_);  // what others had is theirs
    }
  }

  void reserve(Program& program, std::int64_t threads) {
    program.set_threads(threads);
    for (const auto& queue : queues_) {
      queue->reserve(program.workspace_bytes(threads));
      program.prepare(runtime_, *queue);
    }
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
      note_spans(program, slot, device);
      Tally before = std::move(slot.tally);
      program.conclude(slot, device);
      if (part > 0) follow(std::move(before), slot);
      return std::nullopt;
    } catch (...) {
      return current_error();
    }
  }

  void note_spans(const Program& program, Slot& slot, const DeviceSlot& device) {
    std::int64_t of_planes = program.bytes_in(slot);
    for (std::size_t i = 0; i < device.num_batches; ++i) of_planes -= device.batches[i].bytes;
    note(slot, device, copying_in, *device.begun, *device.copied_in, of_planes);
    for (std::size_t i = 0; i < device.num_batches; ++i) {
      const BatchMarks& marks = device.batches[i];
      note(slot, device, copying_in, *marks.begun, *marks.copied, marks.bytes);
      note(slot, device, solving, *marks.copied, *marks.solved, 0);
    }
    if (device.num_batches == 0) note(slot, device, solving, *device.copied_in, *device.solved, 0);
    note(slot, device, copying_out, *device.solved, *device.copied_out, program.bytes_out(slot));
  }

  /// What the slot took of a part, without the time in which it waited for another slot to be through with it.
  void note(Slot& slot, const DeviceSlot& device, int part, const Event& from, const Event& to, std::int64_t bytes) {
    const double start_s = from.reached_s();
    for (const auto& [begin_s, end_s] : claimed_[part].claim(start_s, std::max(start_s, to.reached_s()))) {
      slot.spans.push_back({part_names[part], slot.tile, first_queue_number + device.queue->number(), begin_s, end_s, 0,
                            std::exchange(bytes, 0)});
    }
  }

  std::shared_ptr<Runtime> runtime_;
  DeviceOptions options_;
  std::int64_t free_bytes_;  ///< at first
  std::atomic<bool> warned_{false};
  std::mutex mutex_;
  std::vector<std::shared_ptr<Queue>> queues_;
  std::int64_t workspace_bytes_ = 0;
  ClaimedTime claimed_[3];        ///< of each part; the completion thread's own
  CompletionThread completions_;  // last: its jobs use the others
};

}  // namespace

std::unique_ptr<Backend> make_backend(std::shared_ptr<Runtime> runtime, DeviceOptions options) {
  return std::make_unique<DeviceBackend>(std::move(runtime), std::move(options));
}

}  // namespace outcrop::gpu
