// Instruction sets: the table of those built, best first, and the question to the processor.
#include "cpu/isa.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "core/error.hpp"

namespace outcrop::cpu {
namespace {

[[maybe_unused]] bool has_v3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}

[[maybe_unused]] bool has_v4() {
  return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

bool always() { return true; }

struct BuiltSet {
  KernelSet kernels;
  bool (*runs_here)();
};

const BuiltSet built_sets[] = {
#if defined(OUTCROP_HAS_ISA_V4)
    {{"v4", "x86-64-v4", &isa_v4::invert_network_kernel, &isa_v4::correct_topography_kernel}, has_v4},
#endif
#if defined(OUTCROP_HAS_ISA_V3)
    {{"v3", "x86-64-v3", &isa_v3::invert_network_kernel, &isa_v3::correct_topography_kernel}, has_v3},
#endif
    {{"baseline", "x86-64", &isa_baseline::invert_network_kernel, &isa_baseline::correct_topography_kernel}, always},
};

}  // namespace

const KernelSet& kernels_named(const std::string& name) {
  std::string known;
  for (const BuiltSet& set : built_sets) {
    if (name != set.kernels.name) {
      known += fmt::format("{}{}", known.empty() ? "" : ", ", set.kernels.name);
    } else if (set.runs_here()) {
      return set.kernels;
    } else {
      fail(Errc::usage, fmt::format("OUTCROP_ISA asks for the instruction set '{}' ({}), which this machine has not; "
                                    "leave the variable unset",
                                    name, set.kernels.target));
    }
  }
  fail(Errc::usage, fmt::format("OUTCROP_ISA asks for the instruction set '{}', and this outcrop was built for {}; "
                                "leave the variable unset",
                                name, known));
}

const KernelSet& choose_kernels() {
  const char* wanted = std::getenv("OUTCROP_ISA");
  if (wanted != nullptr && *wanted != '\0') return kernels_named(wanted);
  for (const BuiltSet& set : built_sets) {
    if (set.runs_here()) return set.kernels;
  }
  fail(Errc::internal, "no instruction set was built that this machine can run");
}

}  // namespace outcrop::cpu
