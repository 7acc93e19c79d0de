#include "gpu/cuda/runtime.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <string>

#include "core/clock.hpp"
#include "gpu/cuda/check.hpp"
#include "gpu/cuda/kernels.hpp"
#include "gpu/cuda/stream.hpp"

namespace outcrop::gpu::cuda {
namespace {

/// Host memory of the context and of the libraries, which no call tells: of it 260 MiB for cuSOLVER.
constexpr std::int64_t context_bytes = std::int64_t{560} << 20;

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

/// Throws with what a user needs to know when not even the devices can be counted.
int count_devices() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaSuccess) return count;
  int driver = 0;
  int runtime = 0;
  ignore(cudaDriverGetVersion(&driver));
  ignore(cudaRuntimeGetVersion(&runtime));
  const std::string found =
      driver == 0 ? "no NVIDIA driver is loaded" : "the driver is for CUDA " + version_text(driver);
  fail(Errc::device, fmt::format("no CUDA device can be used: {} ({}; this outcrop was built with CUDA {})",
                                 cudaGetErrorString(code), found, version_text(runtime)));
}

struct DestroyEvent {
  void operator()(cudaEvent_t event) const noexcept { ignore(cudaEventDestroy(event)); }
};

class CudaRuntime final : public Runtime {
 public:
  explicit CudaRuntime(int number) : number_(number) {
    check(cudaSetDevice(number_), "choosing the device");
    check(cudaGetDeviceProperties(&properties_, number_), "asking what the device is like");
    probe();
    cudaEvent_t start = nullptr;
    check(cudaEventCreate(&start), "making an event");
    start_.reset(start);
    CudaStream stream(number_, properties_.multiProcessorCount);
    check(cudaEventRecord(start_.get(), stream.handle()), "recording an event");
    check(cudaEventSynchronize(start_.get()), "waiting for the device");
    start_s_ = wall_s();
  }

  ~CudaRuntime() override { ignore(cudaSetDevice(number_)); }
  CudaRuntime(const CudaRuntime&) = delete;
  CudaRuntime& operator=(const CudaRuntime&) = delete;

  std::string name() const override { return fmt::format("cuda:{} {}", number_, properties_.name); }

  RuntimeLimits limits() const override {
    RuntimeLimits limits;
    limits.threads =
        std::int64_t{properties_.multiProcessorCount} * std::int64_t{properties_.maxThreadsPerMultiProcessor};
    limits.host_bytes = context_bytes;
    return limits;
  }

  std::int64_t device_bytes_free() const override {
    std::size_t free_bytes = 0;
    std::size_t total = 0;
    check(cudaSetDevice(number_), "choosing the device");
    check(cudaMemGetInfo(&free_bytes, &total), "asking for the memory of the device");
    return static_cast<std::int64_t>(free_bytes);
  }

  std::byte* allocate_device(std::int64_t bytes) override {
    void* memory = nullptr;
    check(cudaSetDevice(number_), "choosing the device");
    const cudaError_t code = cudaMalloc(&memory, static_cast<std::size_t>(bytes));
    if (code == cudaErrorMemoryAllocation) {
      ignore(code);
      fail(Errc::out_of_memory, fmt::format("{} has {} of {} bytes free; {} were asked for", name(),
                                            device_bytes_free(), properties_.totalGlobalMem, bytes));
    }
    check(code, "allocating memory of the device");
    return static_cast<std::byte*>(memory);
  }

  void free_device(std::byte* memory) noexcept override {
    ignore(cudaSetDevice(number_));
    ignore(cudaFree(memory));
  }

  std::byte* allocate_pinned(std::int64_t bytes) override {
    void* memory = nullptr;
    check(cudaSetDevice(number_), "choosing the device");
    const cudaError_t code = cudaHostAlloc(&memory, static_cast<std::size_t>(bytes), cudaHostAllocDefault);
    if (code == cudaErrorMemoryAllocation || code == cudaErrorNotSupported) {
      ignore(code);
      fail(Errc::out_of_memory, fmt::format("pinning {} bytes of memory: {}", bytes, cudaGetErrorString(code)));
    }
    check(code, "pinning memory");
    return static_cast<std::byte*>(memory);
  }

  void free_pinned(std::byte* memory) noexcept override {
    ignore(cudaSetDevice(number_));
    ignore(cudaFreeHost(memory));
  }

  std::unique_ptr<Stream> make_stream() override {
    return std::make_unique<CudaStream>(number_, properties_.multiProcessorCount);
  }
  std::unique_ptr<Event> make_event() override { return std::make_unique<CudaEvent>(number_, start_.get(), start_s_); }

 private:
  /// Before any data is read: a device for which nothing was compiled fails here.
  void probe() const {
    CudaStream stream(number_, properties_.multiProcessorCount);
    const cudaError_t launched = launch_probe(stream.handle());
    const cudaError_t ran = launched == cudaSuccess ? cudaStreamSynchronize(stream.handle()) : launched;
    if (ran == cudaSuccess) return;
    ignore(ran);
    fail(ran == cudaErrorMemoryAllocation ? Errc::out_of_memory : Errc::device,
         fmt::format("device {} ({}, compute capability {}.{}) cannot run the kernels of this outcrop: {}", number_,
                     properties_.name, properties_.major, properties_.minor, cudaGetErrorString(ran)));
  }

  int number_;
  cudaDeviceProp properties_{};
  std::unique_ptr<CUevent_st, DestroyEvent> start_;
  double start_s_ = 0;
};

}  // namespace

std::shared_ptr<Runtime> make_runtime(int number) {
  const int count = count_devices();
  if (number >= count) {
    fail(Errc::device, fmt::format("there is no device {}: the driver shows {}, counted from 0", number, count));
  }
  return std::make_shared<CudaRuntime>(number);
}

}  // namespace outcrop::gpu::cuda
