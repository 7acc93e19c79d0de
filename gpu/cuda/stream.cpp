#include "gpu/cuda/stream.hpp"

#include <limits>
#include <utility>

#include "core/check.hpp"
#include "gpu/cuda/check.hpp"
#include "gpu/cuda/kernels.hpp"

namespace outcrop::gpu::cuda {
namespace {

/// The library counts systems by int.
int count_of(const BatchedSystems& systems) {
  OUTCROP_EXPECT(systems.count <= std::numeric_limits<int>::max(), "a batch has more systems than cuSOLVER can count");
  return static_cast<int>(systems.count);
}

}  // namespace

void DestroySolver::operator()(cusolverDnHandle_t solver) const noexcept {
  if (cusolverDnDestroy(solver) != CUSOLVER_STATUS_SUCCESS) static_cast<void>(cudaGetLastError());
}

CudaEvent::CudaEvent(int device, cudaEvent_t start, double start_s)
    : device_(device), start_(start), start_s_(start_s) {
  check(cudaSetDevice(device_), "choosing the device");
  check(cudaEventCreateWithFlags(&event_, cudaEventBlockingSync), "making an event");
}

CudaEvent::~CudaEvent() {
  ignore(cudaSetDevice(device_));
  ignore(cudaEventDestroy(event_));
}

void CudaEvent::wait() {
  check(cudaSetDevice(device_), "choosing the device");
  check(cudaEventSynchronize(event_), "waiting for the device");
}

double CudaEvent::reached_s() const {
  constexpr double seconds_per_millisecond = 1e-3;
  float elapsed_ms = 0;
  check(cudaEventElapsedTime(&elapsed_ms, start_, event_), "asking when the device was done");
  return start_s_ + seconds_per_millisecond * static_cast<double>(elapsed_ms);
}

CudaStream::CudaStream(int device, int num_processors) : device_(device), num_processors_(num_processors) {
  check(cudaSetDevice(device_), "choosing the device");
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
}

CudaStream::~CudaStream() {
  wait();
  solver_.reset();
  ignore(cudaStreamDestroy(stream_));
}

void CudaStream::copy_in(std::byte* device, const std::byte* host, const CopyShape& shape) {
  copy(device, host, shape, cudaMemcpyHostToDevice, "copying a tile to the device");
}

void CudaStream::copy_out(std::byte* host, const std::byte* device, const CopyShape& shape) {
  copy(host, device, shape, cudaMemcpyDeviceToHost, "copying a tile from the device");
}

void CudaStream::copy(std::byte* to, const std::byte* from, const CopyShape& shape, cudaMemcpyKind kind,
                      const char* doing) {
  check(cudaSetDevice(device_), "choosing the device");
  const auto width = static_cast<std::size_t>(shape.row_bytes);
  if (shape.rows == 1) {
    check(cudaMemcpyAsync(to, from, width, kind, stream_), doing);
    return;
  }
  const auto stride = static_cast<std::size_t>(shape.stride_bytes);
  check(cudaMemcpy2DAsync(to, stride, from, stride, width, static_cast<std::size_t>(shape.rows), kind, stream_), doing);
}

void CudaStream::launch(const Launch& launch) {
  if (launch.num_pixels == 0) return;
  check(cudaSetDevice(device_), "choosing the device");
  check(cuda::launch(launch, num_processors_, stream_), "launching a kernel");
}

/// Code is loaded when it is first run, and which code depends on the sizes.
void CudaStream::warm_up(const BatchedSystems& systems) {
  try {
    factor(systems);
    solve(systems);
    check(cudaStreamSynchronize(stream_), "trying cuSOLVER");
  } catch (...) {
    wait();  // the memory of the systems may go now
    throw;
  }
}

cusolverDnHandle_t CudaStream::solver() {
  check(cudaSetDevice(device_), "choosing the device");
  if (solver_ != nullptr) return solver_.get();
  cusolverDnHandle_t handle = nullptr;
  check(cusolverDnCreate(&handle), "starting cuSOLVER");
  std::unique_ptr<cusolverDnContext, DestroySolver> solver(handle);
  // Without its stream a handle works in the default one, in no order with the copies.
  check(cusolverDnSetStream(handle, stream_), "giving cuSOLVER its stream");
  solver_ = std::move(solver);
  return handle;
}

void CudaStream::factor(const BatchedSystems& systems) {
  check(cusolverDnDpotrfBatched(solver(), CUBLAS_FILL_MODE_LOWER, systems.size, systems.matrices, systems.size,
                                systems.info, count_of(systems)),
        "factoring normal equations");
}

void CudaStream::solve(const BatchedSystems& systems) {
  constexpr int one_side = 1;  // all that the library has
  check(
      cusolverDnDpotrsBatched(solver(), CUBLAS_FILL_MODE_LOWER, systems.size, one_side, systems.matrices, systems.size,
                              systems.sides, systems.size, systems.info + systems.count, count_of(systems)),
      "solving normal equations");
}

void CudaStream::record(Event& event) {
  check(cudaSetDevice(device_), "choosing the device");
  check(cudaEventRecord(static_cast<CudaEvent&>(event).handle(), stream_), "recording an event");
}

void CudaStream::wait() noexcept {
  ignore(cudaSetDevice(device_));
  ignore(cudaStreamSynchronize(stream_));
}

}  // namespace outcrop::gpu::cuda
