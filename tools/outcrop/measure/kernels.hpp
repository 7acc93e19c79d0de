// What the kernels of the steps take, from tiles of made-up numbers.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "model/step.hpp"
#include "pipeline/machine.hpp"

namespace outcrop::tools {

/// Weighted phases as MintPy inverts them by default: each date is paired with so many following ones.
model::Step sample_inversion(std::int64_t dates, std::int64_t pairs_per_date);

/// A problem of one size and how long a thread works at one of its pixels.
struct KernelTrial {
  double flops = 0;    ///< that the step declares for a pixel
  double pixel_s = 0;  ///< of one thread while all work
};

/// The line through two trials of different sizes; through the larger one and 0 where such a line would have a negative
/// part. Expects positive numbers.
pipeline::KernelRate kernel_rate(const model::Step& step, const KernelTrial& small, const KernelTrial& large);

/// Both steps, structured and batched. `quick`: smaller problems. Throws Errc::cancelled after a signal.
std::vector<pipeline::KernelRate> measure_kernels(const ParallelFor& parallel, bool quick,
                                                  const std::atomic<int>* stop);

}  // namespace outcrop::tools
