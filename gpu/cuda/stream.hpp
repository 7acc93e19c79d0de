// Streams and events of CUDA. Every call says its device first: calls come from many threads.
#pragma once

#include <cuda_runtime_api.h>
#include <cusolverDn.h>

#include <memory>

#include "gpu/runtime.hpp"

namespace outcrop::gpu::cuda {

/// An event that is waited for without keeping a processor busy.
class CudaEvent final : public Event {
 public:
  /// `start`, reached at start_s: what CUDA's clock is compared with.
  CudaEvent(int device, cudaEvent_t start, double start_s);
  ~CudaEvent() override;
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  void wait() override;
  double reached_s() const override;

  cudaEvent_t handle() const { return event_; }

 private:
  int device_;
  cudaEvent_t start_;
  double start_s_;
  cudaEvent_t event_ = nullptr;
};

struct DestroySolver {
  void operator()(cusolverDnHandle_t solver) const noexcept;
};

/// A stream that is not ordered with any other, nor with the legacy default stream.
class CudaStream final : public Stream {
 public:
  /// num_processors: of the device, over which kernels are spread.
  CudaStream(int device, int num_processors);
  ~CudaStream() override;
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;

  void copy_in(std::byte* device, const std::byte* host, const CopyShape& shape) override;
  void copy_out(std::byte* host, const std::byte* device, const CopyShape& shape) override;
  void launch(const Launch& launch) override;
  void warm_up(const BatchedSystems& systems) override;
  void factor(const BatchedSystems& systems) override;
  void solve(const BatchedSystems& systems) override;
  void record(Event& event) override;
  void wait() noexcept override;

  cudaStream_t handle() const { return stream_; }

 private:
  void copy(std::byte* to, const std::byte* from, const CopyShape& shape, cudaMemcpyKind kind, const char* doing);

  /// cuSOLVER's, made when it is first wanted: the structured programs do without its time and memory.
  cusolverDnHandle_t solver();

  int device_;
  int num_processors_;
  cudaStream_t stream_ = nullptr;
  std::unique_ptr<cusolverDnContext, DestroySolver> solver_;
};

}  // namespace outcrop::gpu::cuda
