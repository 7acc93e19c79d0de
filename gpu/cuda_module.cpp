#include "gpu/cuda_module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "core/error.hpp"

namespace outcrop::gpu {
namespace {

/// Beside the program: bin/outcrop and lib/outcrop/outcrop_cuda.so.
std::filesystem::path module_path() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return program.parent_path().parent_path() / "lib" / "outcrop" / "outcrop_cuda.so";
}

}  // namespace

std::shared_ptr<Runtime> open_cuda(int number) {
  const auto path = module_path();
  if (!std::filesystem::exists(path)) {
    fail(Errc::device,
         fmt::format("this outcrop has no CUDA module (there is no {}): it was built without CUDA, or moved "
                     "without its lib folder",
                     path.string()));
  }
  // Never closed: what it made may live as long as the program.
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) fail(Errc::device, fmt::format("opening the CUDA module: {}", dlerror()));
  void* const symbol = dlsym(module, make_cuda_runtime_name);
  if (symbol == nullptr) fail(Errc::device, fmt::format("the CUDA module is of another outcrop: {}", dlerror()));
  const std::unique_ptr<std::shared_ptr<Runtime>> made(reinterpret_cast<MakeCudaRuntime>(symbol)(number));
  return *made;
}

}  // namespace outcrop::gpu
