#include "gpu/device.hpp"

#include <unistd.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "gpu/cuda_module.hpp"
#include "gpu/sim/runtime.hpp"

namespace outcrop::gpu {
namespace {

/// The number in "cuda:N", 0 in "cuda"; nullopt for anything else.
std::optional<int> cuda_number(std::string_view name) {
  constexpr std::string_view prefix = "cuda:";
  if (name == "cuda") return 0;
  if (!name.starts_with(prefix)) return std::nullopt;
  const std::string_view digits = name.substr(prefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size() || number < 0) return std::nullopt;
  return number;
}

}  // namespace

std::shared_ptr<Runtime> open_device(const std::string& name, const sim::Options& sim) {
  if (name == "sim") return sim::make_runtime(sim);
  const auto number = cuda_number(name);
  if (!number) fail(Errc::usage, "no device has that name");
  return open_cuda(*number);
}

bool has_nvidia_driver() {
  constexpr const char* in_windows_subsystem = "/dev/dxg";
  return ::access("/dev/nvidiactl", F_OK) == 0 || ::access(in_windows_subsystem, F_OK) == 0;
}

}  // namespace outcrop::gpu
