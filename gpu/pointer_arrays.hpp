// PointerArrays: where each matrix and each right-hand side of a batch begins, in device memory, as libraries that
// solve many systems at once ask for it. Made with the working memory they point into, and the same for every batch and
// tile.
#pragma once

#include <memory>

#include "gpu/memory.hpp"
#include "gpu/programs/normal_equations.hpp"
#include "gpu/runtime.hpp"

namespace outcrop::gpu {

class PointerArrays {
 public:
  /// Of `pixels` systems. Waits. Throws: Errc::out_of_memory, Errc::device.
  PointerArrays(const std::shared_ptr<Runtime>& runtime, Stream& stream, const NormalBatch& batch, std::int64_t pixels);

  static std::int64_t device_bytes(std::int64_t pixels);

  /// The first `count` systems of the batch.
  BatchedSystems systems(const NormalBatch& batch, std::int64_t count) const;

 private:
  std::int64_t pixels_;
  DeviceBuffer device_;  ///< [2, pixels]: of the matrices, then of the right-hand sides
};

}  // namespace outcrop::gpu
