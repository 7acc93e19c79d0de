// Benchmarks of the inversion kernel and its baseline.
#pragma once

#include <vector>

#include "bench/kernels/ratios.hpp"

namespace outcrop::bench {

/// Registers the benchmarks. Gives: the ratios that their results must keep.
std::vector<Ratio> register_invert_network();

}  // namespace outcrop::bench
