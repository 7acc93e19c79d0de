// Kernels: what nvcc's code calls to make them known and to launch them (names of its release 13). The device's code
// cannot run here; the bodies that it was made from can, with the numbers of the launch.
#include <cuda_runtime_api.h>
#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <typeinfo>

#include "gpu/launch.hpp"
#include "tests/cuda_stand_in/handles.hpp"

using namespace outcrop::test::stand_in;

namespace {

std::string readable(const char* mangled) {
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr),
                                                         std::free);
  return text != nullptr ? text.get() : mangled;
}

struct Grid {
  std::int64_t blocks = 0;
  std::int64_t block_threads = 0;
};

/// A kernel with its parameters, as gpu/cuda/kernels.cu has it.
template <class Body>
std::function<void()> make_work(void** parameters, const Grid& grid) {
  return [body = *static_cast<const Body*>(parameters[0]), items = *static_cast<const std::int64_t*>(parameters[1]),
          threads = *static_cast<const std::int64_t*>(parameters[2]), grid] {
    // In no order that anybody may rely on.
    for (std::int64_t thread = grid.blocks * grid.block_threads - 1; thread >= 0; --thread) {
      if (thread >= threads) continue;
      for (std::int64_t item = thread; item < items; item += threads) body(item, thread);
    }
  };
}

std::function<void()> do_nothing(void** /*parameters*/, const Grid& /*grid*/) {
  return [] {};
}

using MakeWork = std::function<void()> (*)(void** parameters, const Grid& grid);

template <class... Bodies>
MakeWork find_body(const std::string& name, const std::variant<Bodies...>* /*kernels*/) {
  MakeWork found = nullptr;
  ((name.find("run<" + readable(typeid(Bodies).name()) + ">") != std::string::npos ? found = make_work<Bodies> : found),
   ...);
  return found;
}

MakeWork work_of(const std::string& name) {
  if (name.find("probe()") != std::string::npos) return do_nothing;
  return find_body(name, static_cast<const outcrop::gpu::Kernel*>(nullptr));
}

/// By the address that stands for the kernel on the host.
std::map<const void*, MakeWork>& kernels() {
  static std::map<const void*, MakeWork> all;
  return all;
}

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

thread_local Configuration configuration;

constexpr unsigned most_block_threads = 1024;

cudaError_t launch(const void* kernel, const dim3& grid, const dim3& block, void** parameters, cudaStream_t stream) {
  const auto found = kernels().find(kernel);
  if (found == kernels().end() || !Device::get().plan().has_kernels) {
    return Device::get().note(cudaErrorNoKernelImageForDevice);
  }
  const bool is_line = grid.y == 1 && grid.z == 1 && block.y == 1 && block.z == 1;
  if (!is_line || grid.x == 0 || block.x == 0 || block.x > most_block_threads) {
    return Device::get().note(cudaErrorInvalidConfiguration);
  }
  stream->expect_current();
  stream->stream.add({[work = found->second(parameters, {grid.x, block.x})] {
                        if (!Device::get().fails_at_work()) work();
                      },
                      {}});
  return cudaSuccess;
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* /*binary*/) {
  static void* handle = nullptr;
  return &handle;
}

void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}
void __cudaUnregisterFatBinary(void** /*handle*/) {}

void __cudaRegisterFunction(void** /*handle*/, const char* on_host, char* /*on_device*/, const char* name,
                            int /*thread_limit*/, uint3* /*thread*/, uint3* /*block*/, dim3* /*block_size*/,
                            dim3* /*grid_size*/, int* /*warp_size*/) {
  const MakeWork work = work_of(readable(name));
  if (work == nullptr) Device::get().blame("a kernel that the stand-in does not know: " + readable(name));
  kernels()[on_host] = work;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  configuration = {grid, block, shared, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  *grid = configuration.grid;
  *block = configuration.block;
  *shared = configuration.shared;
  *static_cast<cudaStream_t*>(stream) = configuration.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* on_host) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(on_host));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** parameters,
                                    std::size_t /*shared*/, cudaStream_t stream) {
  if (const cudaError_t code = Device::get().enter("launch"); code != cudaSuccess) return code;
  return launch(kernel, grid, block, parameters, stream);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  if (const cudaError_t code = Device::get().enter(__func__); code != cudaSuccess) return code;
  *attributes = {};
  const bool is_there = kernels().contains(kernel) && Device::get().plan().has_kernels;
  return is_there ? cudaSuccess : Device::get().note(cudaErrorNoKernelImageForDevice);
}

}  // extern "C"
