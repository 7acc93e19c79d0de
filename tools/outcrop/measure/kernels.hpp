// What kernels take: the line through two trials, and the batched ones on tiles of made-up numbers.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "model/design.hpp"
#include "model/step.hpp"
#include "pipeline/machine.hpp"

namespace outcrop::tools {

/// Each date is paired with so many following ones.
struct ProblemShape {
  std::int64_t dates = 0;
  std::int64_t pairs_per_date = 0;
};

/// The sizes that kernels are tried at, for the line through two of them.
inline constexpr ProblemShape few_dates{24, 3};
inline constexpr ProblemShape more_dates{60, 3};  ///< where there is little time
inline constexpr ProblemShape many_dates{98, 5};

/// Weighted phases as MintPy inverts them by default.
model::Step sample_inversion(const ProblemShape& shape);

/// Geometry and baselines of the pixel, a quadratic trend, all outputs; dates of the same network.
model::Step sample_correction(const ProblemShape& shape);

/// The same with a trend of many columns: a polynomial of this order, terms of these periods.
inline const model::DesignTerms many_columns{5, {1, 0.5}, {}};
model::Step wide_correction(const ProblemShape& shape);

/// Plausible values of an input plane: lowest and highest.
std::pair<float, float> sample_range(const std::string& plane);

/// A problem of one size and how long a thread works at one of its pixels.
struct KernelTrial {
  double flops = 0;    ///< that the step declares for a pixel
  double pixel_s = 0;  ///< of one thread while all work
  double samples = 0;  ///< that the step declares for a pixel
};

/// The line through two trials of different sizes; through the larger one and 0 where such a line would have a negative
/// part. Expects positive numbers.
pipeline::KernelRate kernel_rate(const model::Step& step, const KernelTrial& small, const KernelTrial& large);

/// A sample's time apart from that of a flop, from `wide`, which has more columns of the design matrix than `large` and
/// the same samples; nothing for the pixel itself. The line through `small` and `large` where one of the two would be
/// negative.
pipeline::KernelRate kernel_rate(const model::Step& step, const KernelTrial& small, const KernelTrial& large,
                                 const KernelTrial& wide);

/// Both steps by the batched solver. `in_runs`: the structured ones, the inversion's first; those take longer in a run
/// than on tiles that stay in a cache, and the batched ones are taken to be as much slower there. `quick`: smaller
/// problems. Throws Errc::cancelled after a signal.
std::vector<pipeline::KernelRate> measure_batched_kernels(const std::vector<pipeline::KernelRate>& in_runs,
                                                          const ParallelFor& parallel, bool quick,
                                                          const std::atomic<int>* stop);

}  // namespace outcrop::tools
