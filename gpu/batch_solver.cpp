#include "gpu/batch_solver.hpp"

#include <algorithm>

#include "core/clock.hpp"
#include "core/trace.hpp"

namespace outcrop::gpu {
namespace {

/// Design matrices of a batch take no more than this where the host forms them, in pinned memory.
constexpr std::int64_t most_design_bytes = std::int64_t{64} << 20;

/// Where the device forms them, and has the memory, a batch has as many pixels at least: each is one thread of some
/// kernels, and fewer would leave most of a large device idle.
constexpr std::int64_t pixels_for_a_device = 4096;

/// Pixels that a worker of the host assembles at a time.
constexpr std::int64_t block_pixels = 16;

constexpr std::int64_t number_bytes = sizeof(double);

void copy(Stream& stream, double* device, const double* host, std::int64_t length) {
  const std::int64_t bytes = length * number_bytes;
  stream.copy_in(reinterpret_cast<std::byte*>(device), reinterpret_cast<const std::byte*>(host), {1, bytes, bytes});
}

}  // namespace

BatchSolver::BatchSolver(std::int32_t rows, std::int32_t size, double flops, const HostShare& host)
    : rows_(rows),
      size_(size),
      flops_(flops),
      host_assembles_(host.assembles),
      parallel_(host.parallel != nullptr ? *host.parallel : serial_) {}

std::int64_t BatchSolver::most_pixels() const {
  return std::max(host_assembles_ ? std::int64_t{1} : pixels_for_a_device, most_design_bytes / design_bytes());
}

std::int64_t BatchSolver::design_bytes() const { return number_bytes * (std::int64_t{rows_} * (size_ + 1) + 1); }

DesignBatch BatchSolver::carve_design(Workspace& workspace, std::int64_t pixels) const {
  DesignBatch batch{rows_, size_};
  batch.design = workspace.take<double>(std::int64_t{rows_} * size_, pixels);
  batch.observed = workspace.take<double>(rows_, pixels);
  batch.scale = workspace.take<double>(1, pixels);
  return batch;
}

Batch BatchSolver::carve(Workspace& workspace, std::int64_t pixels) const {
  Batch batch{carve_design(workspace, pixels), {size_}};
  NormalBatch& normal = batch.normal;
  normal.normal = workspace.take<double>(std::int64_t{size_} * size_, pixels);
  normal.side = workspace.take<double>(size_, pixels);
  normal.info = workspace.take<std::int32_t>(1, pixels + 1);
  return batch;
}

std::int64_t BatchSolver::staging_bytes(std::int64_t pixels) const {
  if (!host_assembles_) return 0;
  Workspace workspace;
  carve_design(workspace, pixels);
  return Staging::num_chunks * workspace.used();
}

void BatchSolver::stage(const std::shared_ptr<Runtime>& runtime, std::int64_t pixels, const Warn& warn) {
  if (!host_assembles_) return;
  staging_ = std::make_unique<Staging>(runtime, staging_bytes(pixels) / Staging::num_chunks, warn);
  staged_pixels_ = pixels;
}

void BatchSolver::assemble(Slot& slot, DeviceSlot& device, std::int64_t pixels, const DesignBatch& to, Stream& stream,
                           const std::function<void(const DesignBatch& to, std::int64_t pixel)>& assemble_pixel) {
  const std::lock_guard lock(staging_->turns());
  Workspace workspace(staging_->next());
  const DesignBatch chunk = carve_design(workspace, staged_pixels_);
  const double start_s = wall_s();
  parallel_.run((pixels + block_pixels - 1) / block_pixels, [&](std::int64_t block, int) {
    const std::int64_t end = std::min(pixels, (block + 1) * block_pixels);
    for (std::int64_t pixel = block * block_pixels; pixel < end; ++pixel) assemble_pixel(chunk, pixel);
  });
  slot.spans.push_back({"assemble", slot.tile, thread_number(), start_s, wall_s(), 0, pixels * design_bytes()});
  try {
    const BatchMarks& marks = device.next_batch(pixels * design_bytes());
    stream.record(*marks.begun);
    copy(stream, to.design, chunk.design, pixels * rows_ * size_);
    copy(stream, to.observed, chunk.observed, pixels * rows_);
    copy(stream, to.scale, chunk.scale, pixels);
    stream.record(*marks.copied);
    staging_->ordered(stream);
  } catch (...) {
    stream.wait();  // the chunk goes to another tile
    throw;
  }
}

void BatchSolver::end_batch(const DeviceSlot& device, Stream& stream) const {
  if (host_assembles_ && device.num_batches > 0) stream.record(*device.batches[device.num_batches - 1].solved);
}

void BatchSolver::prepare(const std::shared_ptr<Runtime>& runtime, Stream& stream, const Batch& batch,
                          std::int64_t pixels) {
  {
    const std::lock_guard lock(mutex_);
    runtime_ = runtime;
    if (pixels != batch_pixels_) pointers_.clear();
    batch_pixels_ = pixels;
  }
  if (size_ == 0) return;
  stream.warm_up(pointers_to(batch.normal, stream).systems(batch.normal, pixels));
}

/// Pointers are numbers that follow from where the batch begins: they hold as long as the program, whoever else uses
/// the working memory meanwhile.
const PointerArrays& BatchSolver::pointers_to(const NormalBatch& batch, Stream& stream) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<PointerArrays>& pointers = pointers_[batch.normal];
  if (pointers == nullptr) pointers = std::make_unique<PointerArrays>(runtime_, stream, batch, batch_pixels_);
  return *pointers;
}

void BatchSolver::solve(const Batch& batch, std::int64_t pixels, Stream& stream) {
  if (size_ == 0) return;
  const std::int64_t items = pixels * NormalKernel::items_of(size_);
  stream.launch({NormalKernel{batch.design, batch.normal}, items, items, flops_ * static_cast<double>(pixels)});
  const BatchedSystems systems = pointers_to(batch.normal, stream).systems(batch.normal, pixels);
  stream.factor(systems);
  stream.solve(systems);
}

}  // namespace outcrop::gpu
