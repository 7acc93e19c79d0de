// Benchmarks of the DEM-error kernel, its baseline, and the memory it streams through.
#pragma once

#include <vector>

#include "bench/kernels/ratios.hpp"

namespace outcrop::bench {

/// Registers the benchmarks. Gives: the ratios that their results must keep.
std::vector<Ratio> register_correct_topography();

}  // namespace outcrop::bench
