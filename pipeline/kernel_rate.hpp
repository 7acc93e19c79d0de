// KernelRate: what the kernel of a step takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/step.hpp"

namespace outcrop::pipeline {

/// So much a pixel, a sample of its planes, and a flop that the step declares: of one thread of the host, or of a whole
/// device.
struct KernelRate {
  std::string step;  ///< "invert-network"
  model::Solver solver = model::Solver::structured;
  double pixel_s = 0;
  double flops_per_s = 0;
  bool host_assembles = false;  ///< of a device, batched: the host forms the design matrices
  double sample_s = 0;          ///< 0 where it is not known apart from the flops

  /// Seconds a pixel of a step of that name and solver.
  double seconds(const model::Step& part) const {
    return pixel_s + sample_s * static_cast<double>(part.samples()) + part.flops() / flops_per_s;
  }
};

/// The kernel of a step that is no chain; null when there is none.
const KernelRate* find_kernel(const std::vector<KernelRate>& kernels, const model::Step& part,
                              bool host_assembles = false);

/// Seconds a pixel, of both steps for a chain; nullopt when the kernel of one is missing.
std::optional<double> kernels_s(const std::vector<KernelRate>& kernels, const model::Step& step,
                                bool host_assembles = false);

}  // namespace outcrop::pipeline
