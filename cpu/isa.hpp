// Instruction sets: which ones this program holds kernels for, and which of them this machine can run.
#pragma once

#include <string>

#include "cpu/programs/correct_topography.hpp"
#include "cpu/programs/invert_network.hpp"

namespace outcrop::cpu {

/// The kernels of one instruction set.
struct KernelSet {
  const char* name = "";    ///< as in the build option OUTCROP_ISA: "baseline", "v3", "v4"
  const char* target = "";  ///< for people: "x86-64", "x86-64-v3", "x86-64-v4"
  const InvertNetworkKernel* invert_network = nullptr;
  const CorrectTopographyKernel* correct_topography = nullptr;
};

/// The best set that was built and that this machine has, or the one named by the environment variable OUTCROP_ISA.
/// Throws: Errc::usage when the variable names a set that was not built or that the machine has not.
const KernelSet& choose_kernels();

/// The set of that name; the same errors.
const KernelSet& kernels_named(const std::string& name);

// Each is defined by the objects built for that set.
namespace isa_baseline {
extern const InvertNetworkKernel invert_network_kernel;
extern const CorrectTopographyKernel correct_topography_kernel;
}  // namespace isa_baseline
namespace isa_v3 {
extern const InvertNetworkKernel invert_network_kernel;
extern const CorrectTopographyKernel correct_topography_kernel;
}  // namespace isa_v3
namespace isa_v4 {
extern const InvertNetworkKernel invert_network_kernel;
extern const CorrectTopographyKernel correct_topography_kernel;
}  // namespace isa_v4

}  // namespace outcrop::cpu
