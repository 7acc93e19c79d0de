// BatchSolver: what batched programs do alike: the memory of a batch, design matrices that the host forms, normal
// equations. A batch lives in a queue's working memory; design matrices from the host come through pinned chunks.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "gpu/host_share.hpp"
#include "gpu/pointer_arrays.hpp"
#include "gpu/programs/normal_equations.hpp"
#include "gpu/slot.hpp"
#include "gpu/staging.hpp"
#include "gpu/workspace.hpp"

namespace outcrop::gpu {

struct Batch {
  DesignBatch design;
  NormalBatch normal;
};

class BatchSolver {
 public:
  /// Of design matrices [rows, size]. flops: of one pixel.
  BatchSolver(std::int32_t rows, std::int32_t size, double flops, const HostShare& host);

  std::int32_t rows() const { return rows_; }
  std::int32_t size() const { return size_; }
  bool host_assembles() const { return host_assembles_; }

  /// Pixels of the largest batch that makes sense.
  std::int64_t most_pixels() const;

  /// Of a pixel's design matrix as it crosses the bus.
  std::int64_t design_bytes() const;

  Batch carve(Workspace& workspace, std::int64_t pixels) const;

  /// Makes what solve() needs of the device for `batch`, of so many pixels, and that lasts: once for each queue, before
  /// its first tile. Throws: Errc::out_of_memory, Errc::device.
  void prepare(const std::shared_ptr<Runtime>& runtime, Stream& stream, const Batch& batch, std::int64_t pixels);

  /// Of what prepare() makes.
  static std::int64_t prepared_bytes(std::int64_t pixels) {
    return allocated_bytes(PointerArrays::device_bytes(pixels));
  }

  /// Host memory of stage().
  std::int64_t staging_bytes(std::int64_t pixels) const;

  /// For batches of so many pixels.
  void stage(const std::shared_ptr<Runtime>& runtime, std::int64_t pixels, const Warn& warn);

  /// Has the host form the design matrices of `pixels` pixels of the slot's tile, assemble(to, number in the batch),
  /// and orders their copy to the device, with marks of the slot around it. Returns when they are formed; another
  /// slot's thread waits meanwhile.
  void assemble(Slot& slot, DeviceSlot& device, std::int64_t pixels, const DesignBatch& to, Stream& stream,
                const std::function<void(const DesignBatch& to, std::int64_t pixel)>& assemble_pixel);

  /// Orders normal equations, factors and unknowns of the first `pixels` design matrices of a batch, which is the same
  /// for all tiles of a queue.
  void solve(const Batch& batch, std::int64_t pixels, Stream& stream);

  /// All work on the batch that was assembled last has been ordered.
  void end_batch(const DeviceSlot& device, Stream& stream) const;

 private:
  DesignBatch carve_design(Workspace& workspace, std::int64_t pixels) const;
  const PointerArrays& pointers_to(const NormalBatch& batch, Stream& stream);

  std::int32_t rows_;
  std::int32_t size_;
  double flops_;
  bool host_assembles_;
  SerialFor serial_;
  const ParallelFor& parallel_;
  std::int64_t staged_pixels_ = 0;
  std::unique_ptr<Staging> staging_;
  std::mutex mutex_;
  std::shared_ptr<Runtime> runtime_;
  std::int64_t batch_pixels_ = 0;
  std::map<const double*, std::unique_ptr<PointerArrays>> pointers_;  ///< by where the matrices of a batch begin
};

}  // namespace outcrop::gpu
